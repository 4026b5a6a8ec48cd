// What operators see of all tenants' troubles: each kind is listed with its tenant while it lasts, nothing else is, and the list of
// tenants shows and filters it. Nobody else may ask.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { code, login, makePerson } from '../harness/sign-in.ts';

const WEBHOOK = 'tenantId id url since isOff';
const CERTIFICATE = 'tenantId name expiresAt problem';
const HEALTH = `{ serviceHealth {
  domains { tenantId tenant domainId domain problem since reason bounceRate }
  waiting { tenantId domain reason count oldestAt }
  webhooks { ${WEBHOOK} }
  certificates { ${CERTIFICATE} }
  certificateExpiresAt
  stores { name isReady }
} }`;
const TENANT = `query($id: ID!) { tenant(id: $id) {
  problems failingWebhooks { ${WEBHOOK} } expiringCertificates { ${CERTIFICATE} } } }`;
const TENANTS = `query($problem: TenantProblem) {
  tenants(first: 100, problem: $problem) { edges { node { id problems } } } }`;

let world: ApiWorld;
let token: string;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  ({ token } = await login(world, await makePerson(world, 'super_admin')));
});
afterAll(() => world?.close());

const sql = (text: string, values: unknown[] = []) => world.context.db.pool.query(text, values);
async function ask(query: string, variables = {}) {
  const { json } = await world.graphql(query, variables, { key: token });
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data;
}
const problemsOf = async ({ tenantId }: Account) => {
  const { serviceHealth } = await ask(HEALTH);
  const rows = serviceHealth.domains.filter(
    (one: { tenantId: string }) => one.tenantId === toId('tnt', tenantId),
  );
  return rows.map(({ problem }: { problem: string }) => problem);
};

test('domains that are paused, braked, failing DNS or bouncing are listed while it lasts', async () => {
  const account = await makeAccount(world.context.db, { tier: 3 });
  const { tenantId, domainId, domain } = account;
  const set = (columns: string) => sql(`update domains set ${columns} where id = $1`, [domainId]);
  const day = (bounced: number, sent: number, ago: number) =>
    sql(
      `insert into domain_days (tenant_id, domain_id, day, simulated, sent, bounced)
       values ($1, $2, (now() at time zone 'UTC')::date - $3::int, false, $4, $5)`,
      [tenantId, domainId, ago, sent, bounced],
    );
  await day(500, 1_000, 2); // too old
  await day(2, 100, 1); // 2 % is not above 2 %
  expect(await problemsOf(account)).toEqual([]);

  await set(`warmup_state = 'paused', paused_reason = 'bounces were 4 %'`);
  await sql(
    `insert into warmup_history (id, tenant_id, domain_id, actor, action, from_tier, to_tier, reason)
     values ($1, $2, $3, 'auto-ramp', 'pause', 3, 3, 'bounces were 4 %')`,
    [newUuid(), tenantId, domainId],
  );
  await set(`brake_state = 'all', brake_since = now(), brake_reason = '24 of 118 bounced'`);
  await set('failing_since = now()');
  await day(8, 100, 0);
  const { serviceHealth } = await ask(HEALTH);
  const its = serviceHealth.domains.filter((one: { domain: string }) => one.domain === domain);
  const same = { tenantId: toId('tnt', tenantId), tenant: 'Test', domainId: toId('dom', domainId), domain };
  const since = expect.stringMatching(/Z$/);
  expect(its).toEqual([
    { ...same, problem: 'paused', since, reason: 'bounces were 4 %', bounceRate: null },
    { ...same, problem: 'braked', since, reason: '24 of 118 bounced', bounceRate: null },
    { ...same, problem: 'dns_failing', since, reason: null, bounceRate: null },
    { ...same, problem: 'high_bounces', since: null, reason: null, bounceRate: 0.05 },
  ]);

  await set(`brake_since = now() - interval '1 day'`); // a brake ends with its day
  expect(await problemsOf(account)).toEqual(['paused', 'dns_failing', 'high_bounces']);
  await sql('update tenants set suspended_at = now() where id = $1', [tenantId]);
  expect(await problemsOf(account)).toEqual([]);
  await sql('update tenants set suspended_at = null where id = $1', [tenantId]);
  await set(`warmup_state = 'active', failing_since = null`);
  expect(await problemsOf(account)).toEqual(['high_bounces']);
});

test('waiting mail is counted by domain and reason, with the age of the oldest', async () => {
  const account = await makeAccount(world.context.db);
  const { tenantId, domainId, domain } = account;
  const put = (row: object) =>
    makeMessageRow(world.context.db, tenantId, { state: 'deferred', domainId, ...row });
  for (const deferReason of ['warmup_cap', 'warmup_cap', 'brake']) await put({ deferReason });
  await put({ deferReason: 'remote_4xx', retry: true });
  const late = await put({ state: 'queued' });
  await sql(
    `update messages set next_attempt_at = now() - interval '5 minutes', admitted_day = current_date where id = $1`,
    [late],
  );
  const scheduled = await put({ deferReason: 'scheduled' });
  await sql(`update messages set deferred_until = now() + interval '1 day' where id = $1`, [scheduled]);
  await put({ state: 'delivered' });
  const counts = async () => {
    const { serviceHealth } = await ask(HEALTH);
    const its = serviceHealth.waiting.filter((one: { domain: string }) => one.domain === domain);
    expect(its.every(({ oldestAt }: { oldestAt: string }) => oldestAt.endsWith('Z'))).toBe(true);
    return its.map((one: { reason: string; count: number }) => `${one.count} ${one.reason}`).toSorted();
  };
  expect(await counts()).toEqual(['1 brake', '1 queued', '1 remote_4xx', '2 warmup_cap']);
  await sql(`update domains set warmup_state = 'paused' where id = $1`, [domainId]);
  expect(await counts()).toEqual(['5 domain_paused']);
  await sql(`update domains set warmup_state = 'active' where id = $1`, [domainId]);
});

test('failing webhooks, certificates before their end, and the stores', async () => {
  const { tenantId, domainId, domain } = await makeAccount(world.context.db);
  const endpoint = (kind: string, url: string, failing: boolean) =>
    sql(
      `insert into webhook_endpoints (id, tenant_id, kind, url, enabled, sealed_secret, failing_since)
       values ($1, $2, $3, $4, true, '', case when $5 then now() end)`,
      [newUuid(), tenantId, kind, url, failing],
    );
  await endpoint('events', 'https://bad.test/', true);
  await endpoint('events', 'https://good.test/', false);
  await endpoint('inbound', 'https://in.test/', false);
  const rawId = newUuid();
  await sql(
    `insert into inbound_raws (id, tenant_id, mail_from, helo, peer, smtputf8, size_bytes)
     values ($1, $2, '', 'h', '127.0.0.1', false, 1)`,
    [rawId, tenantId],
  );
  const delivery = (minutes: number, tried: boolean) =>
    sql(
      `insert into webhook_deliveries (id, tenant_id, endpoint_id, message_id, recipient, size_bytes, raw_id, round_started_at,
         first_attempt_at, next_attempt_at)
       select $1::uuid, $2::uuid, $2::uuid, $1::uuid, 'a@b.test', 1, $5, now() - $3::int * interval '1 minute',
         case when $4 then now() - $3::int * interval '1 minute' end, now()`,
      [newUuid(), tenantId, minutes, tried, rawId],
    );
  await delivery(60, true);
  await delivery(5, true);
  await sql(
    `insert into tracking_hosts (domain_id, tenant_id, name, checked_at, check_at, order_at, certificate_expires_at, problem)
     values ($1, $2, $3, now(), now(), now(), now() + interval '20 days', 'the authority refused')`,
    [domainId, tenantId, `t.${domain}`],
  );
  const { serviceHealth } = await ask(HEALTH);
  const of = (rows: { tenantId: string }[]) => rows.filter((one) => one.tenantId === toId('tnt', tenantId));
  expect(of(serviceHealth.webhooks)).toEqual([
    expect.objectContaining({ url: 'https://bad.test/', id: expect.stringMatching(/^whk_/), isOff: false }),
    expect.objectContaining({ url: 'https://in.test/', id: null, isOff: false }),
  ]);
  expect(of(serviceHealth.certificates)).toEqual([
    expect.objectContaining({ name: `t.${domain}`, problem: 'the authority refused' }),
  ]);
  const tenant = async (id: string) => (await ask(TENANT, { id: toId('tnt', id) })).tenant;
  expect(await tenant(tenantId)).toEqual({
    problems: ['webhook_failing', 'certificate_expiring'],
    failingWebhooks: of(serviceHealth.webhooks),
    expiringCertificates: of(serviceHealth.certificates),
  });
  const other = await makeAccount(world.context.db);
  expect(await tenant(other.tenantId)).toEqual({
    problems: [],
    failingWebhooks: [],
    expiringCertificates: [],
  });
  await sql(
    `update tracking_hosts set certificate_expires_at = now() + interval '22 days' where domain_id = $1`,
    [domainId],
  );
  expect(of((await ask(HEALTH)).serviceHealth.certificates)).toEqual([]);
  expect(serviceHealth.certificateExpiresAt).toMatch(/Z$/);
  const stores = Object.fromEntries(
    serviceHealth.stores.map((one: { name: string; isReady: boolean }) => [one.name, one.isReady]),
  );
  expect(stores).toMatchObject({ database: true, redis: true, nats: true });
});

test('the list of tenants shows their problems and filters by one', async () => {
  const [bad, good] = [await makeAccount(world.context.db), await makeAccount(world.context.db)];
  await sql(`update domains set warmup_state = 'paused', failing_since = now() where id = $1`, [
    bad.domainId,
  ]);
  const listed = async (problem?: string) => {
    const { tenants } = await ask(TENANTS, { problem });
    return new Map<string, string[]>(
      tenants.edges.map(({ node }: { node: { id: string; problems: string[] } }) => [node.id, node.problems]),
    );
  };
  const [badId, goodId] = [bad, good].map(({ tenantId }) => toId('tnt', tenantId)) as [string, string];
  const all = await listed();
  expect([all.get(badId), all.get(goodId)]).toEqual([['paused', 'dns_failing'], []]);
  const paused = await listed('paused');
  expect([paused.has(badId), paused.has(goodId)]).toEqual([true, false]);
  expect((await listed('braked')).has(badId)).toBe(false);
});

test('nobody else may ask', async () => {
  const { token: owner } = await login(world, await makePerson(world, 'owner'));
  const refused = await world.graphql(HEALTH, {}, { key: owner });
  expect(code(refused)).toBe('forbidden');
});
