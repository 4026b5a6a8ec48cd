// The certificate of a tracking host, ordered from a real ACME directory (Pebble) by real schedulers and served by two real
// api processes: first order, renewal, every place at which the orderer may die, a directory that is away, forgets or refuses,
// and a record that goes.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { monotonicMs } from '../../core/base/clock.ts';
import { createKey } from '../../core/key/keys.ts';
import { toId } from '../../core/base/ids.ts';
import type { DomainView } from '../../core/domain/domain.ts';
import { getDomain } from '../../core/domain/domains.ts';
import { createSigningDomains } from '../../core/domain/signing-domains.ts';
import { RETRY_MINUTES } from '../../core/tracking-host/order-step.ts';
import { createDecorate } from '../../core/tracking/decorate.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { TESTER } from '../harness/actor.ts';
import { call } from '../harness/api-world.ts';
import { askOverTls } from '../harness/ask-over-tls.ts';
import { writeTestCertificate } from '../harness/certificate-files.ts';
import { createDomainWorld, domainSteps, type DomainWorld } from '../harness/domain-world.ts';
import { skips } from '../harness/needs.ts';
import { createPebble, findPebble, type Pebble } from '../harness/pebble.ts';
import { startService, type Service } from '../harness/service.ts';
import { startStubSender, type StubSender } from '../harness/stub-sender.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';

const OUR_HOST = 'links.postrider.example';
const TARGET = 'https://shop.example/landing';

const found = await findPebble();

describe.skipIf(skips('missing' in found ? found.missing : null))('with Pebble', () => {
  const path = 'path' in found ? found.path : '';
  let world: DomainWorld;
  let stub: StubSender;
  let pebble: Pebble;
  let env: Record<string, string>;
  let apis: Service[];
  let scheduler: Service;
  const { create, publish, verifyIt, unpublish, add } = domainSteps(() => world);

  beforeAll(async () => {
    const httpPort = await freePort();
    world = await createDomainWorld({ TRACKING_HOSTNAME: OUR_HOST, WORKER_LEASE_MS: '1000' });
    await world.zone.add([{ type: 'A', name: OUR_HOST, value: '127.0.0.1' }]);
    stub = await startStubSender();
    const { context, deps } = world;
    pebble = await createPebble(path, { httpPort, dnsServer: context.config.DNS_SERVERS[0]! });
    await pebble.start();
    env = {
      ...context.env,
      ...writeTestCertificate(),
      SENDER_ADDRESSES: stub.address,
      ACME_DIRECTORY_URL: pebble.directoryUrl,
      ACME_EMAIL: 'operator@postrider.example',
      NODE_EXTRA_CA_CERTS: pebble.caFile,
      LOG_LEVEL: 'info',
    };
    Object.assign(deps.config, { ACME_DIRECTORY_URL: pebble.directoryUrl });
    apis = [
      await startService('api', { ...env, API_HTTP_PORT: String(httpPort) }),
      await startService('api', env),
    ];
    scheduler = await startService('scheduler', env);
  });
  afterAll(async () => {
    await Promise.all([...apis, scheduler].map((one) => one.kill()));
    await pebble.close();
    await stub.close();
    await world.close();
  });

  const httpsPort = (api: Service) => Number(api.env['API_HTTPS_PORT']);
  const hostOf = (view: DomainView) => `track.${view.name}`;
  const seen = async (view: DomainView) => (await getDomain(world.deps, view.tenantId, view.id)).trackingHost;
  const untilStatus = (view: DomainView, status: string, limitMs = 60_000) => {
    let last: unknown;
    return waitUntil(
      async () => {
        last = await seen(view);
        return (last as { status: string }).status === status;
      },
      {
        limitMs,
        everyMs: 100,
        what: () => `${status}; it is ${JSON.stringify(last)}\n${scheduler.output()}`,
      },
    );
  };
  const newDomain = async () => {
    const view = await create();
    await publish(view);
    expect((await verifyIt(view)).trackingHost.status).toBe('waiting_for_certificate');
    return view;
  };
  const dueNow = (view: DomainView) =>
    world.context.db.pool.query('update tracking_hosts set order_at = now() where domain_id = $1', [view.id]);
  const linkOf = async (view: DomainView) => {
    const { db, config, log } = world.context;
    const signing = await createSigningDomains({ db, config, log }).get(view.tenantId, view.id);
    const message = { id: '0190a0a0-0000-7000-8000-000000000001', tenantId: view.tenantId };
    const linked = { ...message, trackingHost: signing!.trackingDomain };
    const html = createDecorate(config)(linked, {}, `<a href="${TARGET}">x</a>`);
    return new URL(/href="([^"]+)"/.exec(html)![1]!);
  };
  /** Asks an api for the path under the domain's host; the certificate must be one of Pebble's. */
  const click = async (api: Service, view: DomainView, at: string) =>
    askOverTls({ port: httpsPort(api), servername: hostOf(view), ca: await pebble.root(), path: at });
  const restartScheduler = async (more: Record<string, string> = {}) => {
    scheduler = await startService('scheduler', { ...env, ...more });
  };

  let first: DomainView;

  test('a verified domain with its record gets a certificate, and its links work over TLS on every api', async () => {
    first = await newDomain();
    await untilStatus(first, 'live');
    const link = await linkOf(first);
    expect(link.origin).toBe(`https://${hostOf(first)}`);
    for (const api of apis)
      await waitUntil(
        async () => {
          const answer = await click(api, first, link.pathname).catch(() => null);
          return answer?.status === 302 && answer.location === TARGET;
        },
        { ...WITHIN_A_SECOND, what: () => api.output() },
      );
    expect(await click(apis[1]!, first, '/api/v1/docs')).toMatchObject({ status: 404 });
    expect(pebble.issued()).toBe(1);
  });

  test('the API says so, with the end of the certificate, and nobody else learns anything', async () => {
    const keyOf = async (tenantId: string) =>
      (await createKey(world.context, TESTER, { tenantId, name: 'test', scopes: ['domains:read'] })).value;
    const read = async (tenantId: string) =>
      call(httpsPort(apis[0]!), 'GET', `/api/v1/mail/domains/${toId('dom', first.id)}`, {
        key: await keyOf(tenantId),
      });
    const { certificateExpiresAt } = await seen(first);
    expect((await read(first.tenantId)).json.data.tracking_host).toEqual({
      name: hostOf(first),
      status: 'live',
      problem: null,
      certificate_expires_at: certificateExpiresAt!.toISOString(),
    });
    expect((await read(await domainSteps(() => world).makeTenant())).status).toBe(404);
  });

  test('keys are sealed in the database', async () => {
    const { rows } = await world.context.db.pool.query(
      `select encode(sealed_key, 'escape') as key from tracking_hosts union all select encode(sealed_key, 'escape') from acme_accounts`,
    );
    expect(rows).toHaveLength(2);
    for (const { key } of rows) expect(key).not.toContain('PRIVATE KEY');
  });

  test('it is due for renewal at two thirds of its life, and the new one is served within seconds, without a restart', async () => {
    const { rows } = await world.context.db.pool.query(
      `select extract(epoch from order_at - now()) / extract(epoch from certificate_expires_at - now()) as part
       from tracking_hosts where domain_id = $1`,
      [first.id],
    );
    expect(Number(rows[0].part)).toBeCloseTo(2 / 3, 2);
    const before = (await click(apis[0]!, first, '/')).fingerprint;
    await dueNow(first);
    for (const api of apis)
      await waitUntil(async () => (await click(api, first, '/')).fingerprint !== before, { everyMs: 200 });
    expect((await seen(first)).status).toBe('live');
    expect(pebble.issued()).toBe(2);
  });

  test.each(['tracking-host.after-order', 'tracking-host.after-finalize', 'tracking-host.before-store'])(
    'the orderer dies at %s: another goes on, and one certificate is signed',
    async (step) => {
      await scheduler.stop();
      const before = pebble.issued();
      const view = await newDomain();
      const victim = await startService('scheduler', { ...env, TEST_FAILPOINTS: step }, { until: 'started' });
      expect(await victim.ended).toBe('SIGKILL');
      await restartScheduler();
      await untilStatus(view, 'live');
      expect(pebble.issued() - before).toBe(1);
    },
  );

  test('two schedulers share the work: each host gets one certificate', async () => {
    const before = pebble.issued();
    const second = await startService('scheduler', env);
    const views = await Promise.all([newDomain(), newDomain(), newDomain()]);
    for (const view of views) await untilStatus(view, 'live');
    await second.stop();
    expect(pebble.issued() - before).toBe(views.length);
  });

  test('its record goes: within a minute new mail uses PUBLIC_URL; found again it is back', async () => {
    const startedAt = monotonicMs();
    await unpublish(first, 'tracking');
    await waitUntil(async () => (await linkOf(first)).origin === 'https://mail.postrider.example', {
      everyMs: 500,
    });
    expect(monotonicMs() - startedAt).toBeLessThan(60_000);
    expect(await seen(first)).toMatchObject({
      status: 'lost',
      problem: expect.stringContaining(`Publish the record CNAME ${hostOf(first)} ${OUR_HOST}`),
    });
    await add({ type: 'CNAME', name: hostOf(first), value: OUR_HOST });
    await untilStatus(first, 'live');
  });

  test('a directory that is away: the host waits and says so; one that forgot us is registered at again', async () => {
    await pebble.stop();
    const view = await newDomain();
    await waitUntil(async () => (await seen(view)).problem?.includes('does not answer') ?? false);
    expect(await seen(view)).toMatchObject({
      status: 'waiting_for_certificate',
      problem: `${new URL(pebble.directoryUrl).host}, which signs our certificates, does not answer. Tried again in a minute; nothing to do.`,
    });
    for (const [status, type, words, minutes] of [
      [500, 'serverInternal', 'does not answer', 1],
      [429, 'rateLimited', 'limits how fast', 60],
    ] as const) {
      const end = await pebble.refuse(status, type);
      await world.context.db.pool.query('update tracking_hosts set problem = null where domain_id = $1', [
        view.id,
      ]);
      await dueNow(view);
      await waitUntil(async () => (await seen(view)).problem?.includes(words) ?? false, {
        what: () => `${words}\n${scheduler.output()}`,
      });
      const { rows } = await world.context.db.pool.query(
        'select failures, extract(epoch from order_at - now()) / 60 as wait from tracking_hosts where domain_id = $1',
        [view.id],
      );
      expect(rows[0].failures).toBe(0); // the host is not to blame
      expect(Number(rows[0].wait)).toBeGreaterThan(minutes - 0.5);
      await end();
    }
    await pebble.start(); // it knows neither account nor order
    await dueNow(view);
    await untilStatus(view, 'live');
  });

  test('a host that the directory does not reach is tried again less and less, and the words say what to do', async () => {
    await apis[0]!.kill();
    const view = await newDomain();
    const failures = async () => {
      const { rows } = await world.context.db.pool.query(
        'select failures, extract(epoch from order_at - now()) / 60 as minutes from tracking_hosts where domain_id = $1',
        [view.id],
      );
      return rows[0] as { failures: number; minutes: string } | undefined;
    };
    for (const [i, minutes] of RETRY_MINUTES.slice(0, 2).entries()) {
      await waitUntil(async () => (await failures())?.failures === i + 1, {
        everyMs: 100,
        what: () => scheduler.output(),
      });
      expect(Number((await failures())!.minutes)).toBeGreaterThan(minutes - 0.5);
      expect(Number((await failures())!.minutes)).toBeLessThanOrEqual(minutes);
      expect((await seen(view)).problem).toContain(`Port 80 of ${hostOf(view)} must lead to this service`);
      await dueNow(view);
    }
    apis[0] = await startService('api', apis[0]!.env);
    await waitUntil(
      async () => (await failures())!.failures !== 2 || Number((await failures())!.minutes) > 1,
    );
    await dueNow(view);
    await untilStatus(view, 'live');
    expect((await seen(view)).problem).toBeNull();
  });
});
