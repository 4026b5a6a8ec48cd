// A domain's own host for links: its certificate comes from the folder of whoever runs this service. What it serves, what it
// does not, and what mail says while its record is there and while it is not.

import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { sleep } from '../../core/base/clock.ts';
import { createBuckets } from '../../core/db/buckets.ts';
import { openDatabase } from '../../core/db/pool.ts';
import { createDomainDns } from '../../core/domain/dns-lookup.ts';
import { checkHosts } from '../../core/tracking-host/check-hosts.ts';
import { createGivenCertificates } from '../../core/tracking-host/given-certificates.ts';
import { createServedHosts } from '../../core/tracking-host/served-hosts.ts';
import { createDecorate } from '../../core/tracking/decorate.ts';
import { createUnsubscribeUrl } from '../../core/tracking/unsubscribe-url.ts';
import { createApiWorld, type ApiWorld, type RunningApi } from '../harness/api-world.ts';
import { askOverTls } from '../harness/ask-over-tls.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { makeAccount } from '../harness/factories.ts';
import { makeHostAuthority, type HostAuthority } from '../harness/host-authority.ts';
import type { SmtpPeer } from '../harness/smtp-peer.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';

const PUBLIC_URL = 'https://mail.postrider.test';
const TARGET = 'https://shop.example/landing?x=1';

let folder: string;
let authority: HostAuthority;
let delivery: DeliveryWorld;
let world: ApiWorld;
let other: RunningApi;
let peer: SmtpPeer;
let host: string;
let live: Links;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-given-'));
  authority = await makeHostAuthority();
  delivery = await createDeliveryWorld({ PUBLIC_URL, TRACKING_CERT_FOLDER: folder });
  world = await createApiWorld(delivery.context.env);
  other = await world.startAnother();
  host = `track.${delivery.account.domain}`;
  delivery.dns.zone[host] = { cname: 'mail.postrider.test' };
  peer = await delivery.startPeer('reader.test');
  await delivery.open({
    decorate: createDecorate(delivery.context.config),
    unsubscribeUrl: createUnsubscribeUrl(delivery.context.config),
  });
});
afterAll(async () => {
  await world.close();
  await delivery.close();
  await rm(folder, { recursive: true, force: true });
});

const give = async (file: string, names: string[], life = {}) => {
  const { cert, key } = await authority.sign(names, life);
  await writeFile(join(folder, `${file}.key`), key);
  await writeFile(join(folder, `${file}.crt`), cert);
};
/** One round of the scheduler's look-ups, with every host due. */
async function checkNow(): Promise<void> {
  const { config, db, log } = delivery.context;
  await db.pool.query("update tracking_hosts set check_at = now() - interval '1 second'");
  await checkHosts({ db, config, dns: createDomainDns(config), given: createGivenCertificates(folder, log) });
}
const see = (status: string) =>
  delivery.rows(
    `update domains set record_status = jsonb_build_object('tracking', jsonb_build_object('status', $2::text, 'problem', null))
     where id = $1`,
    [delivery.account.domainId, status],
  );

interface Links {
  click: string;
  open: string;
}
/** The links of mail that is delivered now. */
async function deliver(): Promise<Links> {
  const before = peer.messages.length;
  const id = await delivery.queue('ann@reader.test', { html: `<a href="${TARGET}">Shop</a>`, text: '' });
  await delivery.untilState(id, 'delivered');
  const raw = peer.messages[before]!.raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return { click: /href="([^"]+)"/.exec(raw)![1]!, open: /src="([^"]+)"/.exec(raw)![1]! };
}
const untilLinksLeadTo = (origin: string) =>
  waitUntil(async () => (await deliver()).click.startsWith(`${origin}/`), WITHIN_A_SECOND);
const ask = (path: string, more: Partial<Parameters<typeof askOverTls>[0]> = {}) =>
  askOverTls({ port: world.port, servername: host, ca: authority.ca, path, ...more });
const pathOf = (url: string) => new URL(url).pathname;
const shown = async () => {
  const { key } = await world.makeKey({ tenantId: delivery.account.tenantId, scopes: ['domains:read'] });
  const { json } = await world.call('GET', `/mail/domains/${toId('dom', delivery.account.domainId)}`, {
    key,
  });
  return json.data;
};

test('before the record is found, links lead over PUBLIC_URL, and the record is asked for', async () => {
  expect((await deliver()).click).toMatch(new RegExp(`^${PUBLIC_URL}/t/c/`));
  const { tracking_host: seen, records } = await shown();
  expect(seen).toEqual({
    name: host,
    status: 'not_found',
    problem: `Publish the record CNAME ${host} mail.postrider.test, then check DNS.`,
    certificate_expires_at: null,
  });
  expect(records).toContainEqual(
    expect.objectContaining({ purpose: 'tracking', type: 'CNAME', name: host, value: 'mail.postrider.test' }),
  );
});

test('with its record and without a certificate it waits, and says for what', async () => {
  await see('found');
  await checkNow();
  expect((await shown()).tracking_host).toMatchObject({
    status: 'waiting_for_certificate',
    problem: `Ask your administrator for a certificate of ${host}.`,
  });
  expect((await deliver()).click).toMatch(new RegExp(`^${PUBLIC_URL}/t/c/`));
  await expect(ask('/')).rejects.toMatchObject({ code: expect.stringMatching(/SELF_SIGNED|ALTNAME|CERT/) });
});

test('with a certificate new mail leads over it, and every api serves it there', async () => {
  await give('others', ['track.elsewhere.test']);
  await give('ours', [host]);
  await checkNow();
  expect((await shown()).tracking_host).toEqual({
    name: host,
    status: 'live',
    problem: null,
    certificate_expires_at: expect.stringMatching(/^20/),
  });
  await untilLinksLeadTo(`https://${host}`);
  live = await deliver();
  for (const { port } of [world, other]) {
    await waitUntil(
      () =>
        ask('/', { port }).then(
          () => true,
          () => false,
        ),
      WITHIN_A_SECOND,
    );
    expect(await ask(pathOf(live.click), { port })).toMatchObject({ status: 302, location: TARGET });
    expect(await ask(pathOf(live.open), { port })).toMatchObject({ status: 200 });
  }
});

test('List-Unsubscribe leads there too, and one click is enough', async () => {
  const message = {
    id: '0190a0a0-0000-7000-8000-000000000001',
    tenantId: delivery.account.tenantId,
    rcptTo: 'ben@reader.test',
  };
  const url = createUnsubscribeUrl(delivery.context.config)({ ...message, trackingHost: host });
  expect(url.startsWith(`https://${host}/u/`)).toBe(true);
  expect(await ask(pathOf(url))).toMatchObject({
    status: 200,
    text: expect.stringContaining('Unsubscribe <strong>ben@reader.test</strong> from'),
  });
  expect(await ask(pathOf(url), { method: 'POST' })).toMatchObject({
    status: 200,
    text: expect.stringContaining('such as password resets, are not affected'),
  });
  const { rows } = await world.context.db.pool.query(
    'select email, reason, stream from suppressions where tenant_id = $1',
    [message.tenantId],
  );
  expect(rows).toEqual([{ email: 'ben@reader.test', reason: 'unsubscribe', stream: 'bulk' }]);
});

test('nothing else is there: no API, no dashboard, no health', async () => {
  for (const path of [
    '/',
    '/api/v1/docs',
    '/api/v1/mail/domains',
    '/graphql',
    '/healthz',
    '/readyz',
    '/mail-frame',
    '/t/x',
  ])
    expect(await ask(path), path).toMatchObject({
      status: 404,
      text: expect.stringContaining('This link does not work'),
    });
  expect(await ask('/api/v1/docs', { host: 'mail.postrider.test' })).toMatchObject({ status: 421 });
  expect(await world.call('GET', '//api/v1/docs', { headers: { host } })).toMatchObject({ status: 404 });
  expect(await world.call('GET', '//api/v1/docs')).toMatchObject({ status: 200 });
  expect(await world.call('GET', '//api/v1/docs', { headers: { host: 'track.unknown.test' } })).toMatchObject(
    { status: 200 },
  );
});

test('it serves links of its own tenant only; our own host serves all, for ever', async () => {
  const stranger = await makeAccount(delivery.context.db);
  const message = { id: '0190a0a0-0000-7000-8000-000000000002', tenantId: stranger.tenantId };
  const html = createDecorate(delivery.context.config)(message, {}, `<a href="${TARGET}">x</a>`);
  const theirs = pathOf(/href="([^"]+)"/.exec(html)![1]!);
  expect(await ask(theirs)).toMatchObject({ status: 404 });
  for (const path of [theirs, pathOf(live.click)])
    expect(await world.call('GET', `/${path}`)).toMatchObject({ status: 302, headers: { location: TARGET } });
});

test('without a verified domain a name is nobody’s, whoever had it and whatever certificate the operator has', async () => {
  const { domain, domainId } = delivery.account;
  const stranger = await makeAccount(delivery.context.db);
  const rowsOfStranger = () =>
    delivery.rows('select certificate from tracking_hosts where domain_id = $1', [stranger.domainId]);
  const servedTo = async () => {
    const { config, db, log } = delivery.context;
    return (await createServedHosts({ buckets: createBuckets(db), config, log }).get(host))?.tenantId;
  };
  await delivery.rows("update domains set status = 'failed' where id = $1", [domainId]);
  await delivery.rows('update domain_claims set held = false where name = $1', [domain]);
  await delivery.rows("update domains set status = 'pending', name = $2, record_status = $3 where id = $1", [
    stranger.domainId,
    domain,
    { tracking: { status: 'found', problem: null } },
  ]);
  await give('ours', [host], { toMs: 80 * 86_400_000 });
  await checkNow();
  expect(await rowsOfStranger()).toEqual([]);
  expect(await servedTo()).toBeUndefined();
  expect((await shown()).tracking_host.status).toBe('lost');

  await delivery.rows("update domains set status = 'verified' where id = $1", [stranger.domainId]);
  await checkNow();
  expect(await servedTo()).toBe(stranger.tenantId);
  await delivery.rows("update domains set status = 'failed' where id = $1", [stranger.domainId]);
  expect(await servedTo()).toBeUndefined();
  const [before] = await rowsOfStranger();
  await give('ours', [host], { toMs: 85 * 86_400_000 });
  await checkNow();
  expect(await rowsOfStranger()).toEqual([before]);
  await delivery.rows("update domains set status = 'verified' where id = $1", [stranger.domainId]);
  await delivery.rows('delete from domains where id = $1', [stranger.domainId]);
  expect(await servedTo()).toBeUndefined();

  await delivery.rows("update domains set status = 'verified' where id = $1", [domainId]);
  await delivery.rows('update domain_claims set held = true where name = $1', [domain]);
  await checkNow();
  expect(await servedTo()).toBe(delivery.account.tenantId);
});

test('another account that adds the name gets nothing of it, and has it once it is verified', async () => {
  const stranger = await makeAccount(delivery.context.db);
  const { domain, domainId } = delivery.account;
  await delivery.rows("update domains set status = 'pending', name = $2, record_status = $3 where id = $1", [
    stranger.domainId,
    domain,
    { tracking: { status: 'found', problem: null } },
  ]);
  await checkNow();
  expect(await ask(pathOf(live.click))).toMatchObject({ status: 302 });
  await delivery.rows("update domains set status = 'failed' where id = $1", [domainId]);
  await delivery.rows("update domains set status = 'verified' where id = $1", [stranger.domainId]);
  const refused = () =>
    ask(pathOf(live.click)).then(
      ({ status }) => status === 404,
      () => true,
    );
  await waitUntil(refused, WITHIN_A_SECOND);
  await delivery.rows('delete from domains where id = $1', [stranger.domainId]);
  await delivery.rows("update domains set status = 'verified' where id = $1", [domainId]);
  await waitUntil(async () => !(await refused()), WITHIN_A_SECOND);
});

test('its record goes: new mail uses PUBLIC_URL, links that are out there go on; it comes back', async () => {
  delete delivery.dns.zone[host];
  await checkNow();
  expect((await shown()).tracking_host).toMatchObject({
    status: 'lost',
    problem: `Publish the record CNAME ${host} mail.postrider.test, then check DNS.`,
  });
  await untilLinksLeadTo(PUBLIC_URL);
  expect(await ask(pathOf(live.click))).toMatchObject({ status: 302 });
  delivery.dns.zone[host] = { fail: true };
  await checkNow();
  expect((await shown()).tracking_host.status).toBe('lost');
  delivery.dns.zone[host] = { cname: 'mail.postrider.test' };
  await checkNow();
  await untilLinksLeadTo(`https://${host}`);
  delivery.dns.zone[host] = { fail: true }; // no news is no news
  await checkNow();
  expect((await shown()).tracking_host.status).toBe('live');
  delivery.dns.zone[host] = { cname: 'mail.postrider.test' };
});

test('its certificate expires, and new mail uses PUBLIC_URL; a new one in the folder is served without a restart', async () => {
  const before = (await ask('/')).fingerprint;
  await delivery.rows("update tracking_hosts set certificate_expires_at = now() - interval '1 second'");
  expect((await shown()).tracking_host).toMatchObject({
    status: 'lost',
    problem: expect.stringContaining('has expired'),
  });
  await untilLinksLeadTo(PUBLIC_URL);
  await give('ours', [host], { toMs: 60 * 86_400_000 });
  await checkNow();
  await untilLinksLeadTo(`https://${host}`);
  for (const { port } of [world, other])
    await waitUntil(async () => (await ask('/', { port })).fingerprint !== before, WITHIN_A_SECOND);
});

test('while no scheduler looks at records, new mail uses PUBLIC_URL', async () => {
  await delivery.rows("update tracking_hosts set checked_at = now() - interval '6 minutes'");
  await untilLinksLeadTo(PUBLIC_URL);
  expect((await shown()).tracking_host).toMatchObject({
    status: 'lost',
    problem: expect.stringContaining('not checked'),
  });
  await checkNow();
  await untilLinksLeadTo(`https://${host}`);
});

test('a pair that is no use is left out', async () => {
  await writeFile(join(folder, 'ours.key'), (await authority.sign([host])).key);
  await writeFile(join(folder, 'rubbish.crt'), 'no certificate');
  await checkNow();
  expect((await shown()).tracking_host.status).toBe('live');
});

test('a folder that is gone changes nothing', async () => {
  await rename(folder, `${folder}.away`);
  await checkNow();
  expect((await shown()).tracking_host.status).toBe('live');
  await rename(`${folder}.away`, folder);
});

test('while the database is away, a host that was served before is served as it was', async () => {
  const { config, log } = delivery.context;
  const db = openDatabase(config, log);
  const hosts = createServedHosts({ buckets: createBuckets(db), config, log });
  const before = await hosts.get(host);
  expect(before?.tenantId).toBe(delivery.account.tenantId);
  await db.close();
  await sleep(2_100); // as long as an answer is believed
  expect((await hosts.get(host))?.context).toBe(before!.context);
  await expect(hosts.get('track.never-seen.test')).rejects.toThrow();
});

test('a challenge is answered over plain HTTP by every api, and nothing else is', async () => {
  const token = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA';
  await delivery.rows('update tracking_hosts set challenge_token = $1, challenge_answer = $2', [
    token,
    `${token}.thumb`,
  ]);
  const plain = (port: number, path: string) =>
    fetch(`http://127.0.0.1:${port}/.well-known/acme-challenge/${path}`, { redirect: 'manual' });
  for (const { redirectPort } of [world, other]) {
    const answer = await plain(redirectPort, token);
    expect([answer.status, await answer.text()]).toEqual([200, `${token}.thumb`]);
    expect((await plain(redirectPort, `${token}x`)).status).toBe(301);
    expect((await plain(redirectPort, '')).status).toBe(301);
  }
});

test('without a directory and without a folder there are no tracking hosts, and no record is asked for', async () => {
  const { TRACKING_CERT_FOLDER: _, ...env } = delivery.context.env;
  const without = await createApiWorld(env);
  const { key } = await without.makeKey({ tenantId: delivery.account.tenantId, scopes: ['domains:read'] });
  const { json } = await without.call('GET', `/mail/domains/${toId('dom', delivery.account.domainId)}`, {
    key,
  });
  await without.close();
  expect(json.data.tracking_host).toMatchObject({ name: host, status: 'off' });
  expect(json.data.records.map(({ purpose }: { purpose: string }) => purpose)).not.toContain('tracking');
});
