// What operators can do over REST: override, resume, history, plan with forecast, reconciliation.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { addEspUse, espKey, lockEspUse, readTenantCaps } from '../../core/warmup/esp-cap-store.ts';
import { countsByRoute, subCap, admitOnRoute } from '../../core/warmup/esp-cap.ts';
import { readMismatches, storeAccepted } from '../../core/warmup/reconcile-store.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeAccount, setDay, type Account } from '../harness/factories.ts';
import { TESTER } from '../harness/actor.ts';

let world: ApiWorld;
let admin: string;
const routes =
  '[{"name":"direct","weight":1},{"name":"relay","url":"smtp://relay.test","weight":1,"sub_cap_share":0.29}]';

beforeAll(async () => {
  world = await createApiWorld({ OUTBOUND_ROUTES: routes });
  admin = (await createAdminToken(world.context, TESTER, { name: 'ops' })).value;
});
afterAll(() => world.close());

const at = (account: Account) => `/admin/tenants/${toId('tnt', account.tenantId)}`;
const domainAt = (account: Account) => `${at(account)}/domains/${toId('dom', account.domainId)}`;
const today = async () =>
  (await world.context.db.pool.query<{ day: string }>("select (now() at time zone 'UTC')::date::text as day"))
    .rows[0]!.day;

test('tier override, history, resume; the tenant’s own key may not', async () => {
  const account = await makeAccount(world.context.db, { tier: 2 });
  const post = (path: string, body?: unknown, key = admin) =>
    world.call('POST', `${domainAt(account)}${path}`, { key, ...(body === undefined ? {} : { body }) });
  expect(await post('/tier', { action: 'advance', reason: 'well known' })).toMatchObject({
    status: 200,
    json: { ok: true, data: { name: account.domain, warmup: { tier: 3, cap: 500, state: 'active' } } },
  });
  expect((await post('/tier', { tier: 0 })).json.data.warmup).toMatchObject({ tier: 0, cap: 50 });
  expect(await post('/tier', { action: 'demote' })).toMatchObject({
    status: 409,
    json: { error: 'conflict' },
  });
  expect((await post('/tier', { action: 'hold' })).json.data.warmup.state).toBe('held');
  expect((await post('/tier', { action: 'release' })).json.data.warmup.state).toBe('active');
  expect((await post('/tier', {})).status).toBe(422);
  expect((await post('/tier', { tier: 11 })).status).toBe(422);
  expect((await post('/tier', { tier: 1, action: 'hold' })).status).toBe(422);
  expect((await post('/resume')).status).toBe(409);
  await world.context.db.pool.query(
    "update domains set warmup_state = 'paused', paused_reason = 'bounces' where id = $1",
    [account.domainId],
  );
  expect((await post('/resume')).json.data.warmup).toMatchObject({ state: 'active', paused_reason: null });

  const first = await world.call('GET', `${domainAt(account)}/warmup-history?limit=2`, { key: admin });
  expect(first.json.data.items.map((one: { action: string }) => one.action)).toEqual(['resume', 'release']);
  const rest = await world.call(
    'GET',
    `${domainAt(account)}/warmup-history?after=${first.json.data.next_cursor}`,
    { key: admin },
  );
  expect(rest.json.data).toMatchObject({
    items: [
      { action: 'hold' },
      { action: 'set', from_tier: 3, to_tier: 0, actor: 'admin token ops' },
      { action: 'advance', from_tier: 2, to_tier: 3, reason: 'well known', rates: null },
    ],
    next_cursor: null,
  });
  const { key } = await world.makeKey({ tenantId: account.tenantId });
  expect(await post('/tier', { tier: 5 }, key)).toMatchObject({ status: 403, json: { error: 'forbidden' } });
  const other = await makeAccount(world.context.db);
  const crossed = `${at(other)}/domains/${toId('dom', account.domainId)}`;
  expect((await world.call('POST', `${crossed}/tier`, { key: admin, body: { tier: 5 } })).status).toBe(404);
  expect((await world.call('GET', `${crossed}/warmup-history`, { key: admin })).status).toBe(404);
});

describe('a plan', () => {
  test('is made, read, replaced, and has a forecast for each domain', async () => {
    const account = await makeAccount(world.context.db, { tier: 1 });
    const path = `${at(account)}/warmup-schedule`;
    expect((await world.call('GET', path, { key: admin })).status).toBe(404);
    const day = await today();
    const body = { start_date: day, total_target_recipients: 30_000 };
    const made = await world.call('POST', `${path}/generate`, { key: admin, body });
    expect(made).toMatchObject({
      status: 201,
      json: {
        data: {
          tenant_id: toId('tnt', account.tenantId),
          start_date: day,
          total_target_recipients: 30_000,
          ramp_strategy: 'standard',
        },
      },
    });
    const { days, forecast } = made.json.data;
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({
      day: 0,
      date: day,
      tier: 0,
      planned_sends: 50,
      mail_kind: 'transactional',
    });
    expect(days[29]).toMatchObject({ day: 29, tier: 10, planned_sends: 30_000, mail_kind: 'marketing' });
    expect(forecast).toMatchObject([{ domain: account.domain, days: { length: 30 } }]);
    expect(forecast[0].days[0].possible_on).toBe(day);
    expect((await world.call('GET', path, { key: admin })).json.data).toEqual(made.json.data);

    const again = { ...body, ramp_strategy: 'aggressive', total_target_recipients: 60 };
    await world.call('POST', `${path}/generate`, { key: admin, body: again });
    const read = await world.call('GET', path, { key: admin });
    expect(read.json.data.days.map((one: { planned_sends: number }) => one.planned_sends)).toEqual(
      Array(30).fill(60),
    );
    const { rows: changes } = await world.context.db.pool.query<{ data: unknown }>(
      "select data from audit_log where tenant_id = $1 and action = 'warmup.plan_stored' order by id",
      [account.tenantId],
    );
    expect(changes).toMatchObject([
      { data: { ramp_strategy: 'standard' } },
      { data: { ramp_strategy: 'aggressive' } },
    ]);
  });

  test.each([
    [{}, ['start_date', 'total_target_recipients']],
    [{ start_date: '2026-02-30', total_target_recipients: 1 }, ['start_date']],
    [{ start_date: '2026-02-03', total_target_recipients: 0 }, ['total_target_recipients']],
    [{ start_date: '2026-02-03', total_target_recipients: 1.5 }, ['total_target_recipients']],
    [{ start_date: '2026-02-03', total_target_recipients: 1, ramp_strategy: 'fast' }, ['ramp_strategy']],
    [{ start_date: '2026-02-03', total_target_recipients: 1, speed: 1 }, ['speed']],
  ])('refuses %j', async (body, paths) => {
    const account = await makeAccount(world.context.db);
    const answer = await world.call('POST', `${at(account)}/warmup-schedule/generate`, { key: admin, body });
    expect(answer).toMatchObject({ status: 422, json: { error: 'validation_failed' } });
    expect(answer.json.details.map((one: { path: string }) => one.path)).toEqual(paths);
  });

  test('of an unknown tenant is not found', async () => {
    const path = `/admin/tenants/${toId('tnt', newUuid())}/warmup-schedule`;
    const body = { start_date: '2026-02-03', total_target_recipients: 1 };
    expect((await world.call('POST', `${path}/generate`, { key: admin, body })).status).toBe(404);
    expect((await world.call('GET', path, { key: admin })).status).toBe(404);
  });
});

test('sub-caps: shares of the tenant’s caps, counted by route under a lock', async () => {
  const account = await makeAccount(world.context.db, { tier: 1 });
  const { pool } = world.context.db;
  const day = await today();
  expect(countsByRoute([{ name: 'direct' }])).toBe(false);
  expect(countsByRoute(world.context.config.OUTBOUND_ROUTES)).toBe(true);
  expect([0.29, undefined, 0].map((share) => subCap(100, { name: 'x', sub_cap_share: share }))).toEqual([
    29, 100, 0,
  ]);
  expect(await readTenantCaps(pool, [account.tenantId], day)).toEqual(new Map([[account.tenantId, 100]]));
  const key = { tenantId: account.tenantId, esp: 'relay' };
  // Forty sends at once through a sub-cap of 29: each takes its place under the row's lock.
  const taken = await Promise.all(
    Array.from({ length: 40 }, () =>
      inTransaction(pool, async (client) => {
        const used = (await lockEspUse(client, [key], day)).get(espKey(key)) ?? 0;
        const capacity = { used, subCap: 29 };
        if (!admitOnRoute(capacity, true)) return false;
        await addEspUse(client, day, [{ ...key, count: 1 }]);
        return true;
      }),
    ),
  );
  expect(taken.filter(Boolean)).toHaveLength(29);
  expect(admitOnRoute({ used: 29, subCap: 29 }, false)).toBe(true);

  await pool.query(
    `insert into attempt_days (day, tenant_id, domain_id, esp, attempted, accepted) values ($1, $2, $3, 'relay', 25, 25)`,
    [day, account.tenantId, account.domainId],
  );
  const report = await world.call('GET', `${at(account)}/warmup/reconciliation`, { key: admin });
  expect(report).toMatchObject({
    status: 200,
    json: {
      data: {
        tenant_id: toId('tnt', account.tenantId),
        date: day,
        enforced: false,
        items: [
          {
            esp: 'direct',
            sub_cap: 100,
            used: 0,
            remaining: 100,
            over_by: 0,
            accepted_by_esp: 0,
            difference: 0,
          },
          {
            esp: 'relay',
            sub_cap: 29,
            used: 29,
            remaining: 0,
            over_by: 0,
            accepted_by_esp: 25,
            difference: 4,
          },
        ],
      },
    },
  });

  await setDay(world.context.db, account, { cap: 100, used: 29, day });
  await inTransaction(pool, async (client) => {
    const shares = [
      { name: 'direct', share: 1 },
      { name: 'relay', share: 0.29 },
    ];
    expect(await storeAccepted(client, day, shares)).toBe(1);
  });
  expect(await readMismatches(pool, day, null, 10_000)).toEqual([
    { domainId: account.domainId, counted: 29, messages: 0 },
  ]);
  await pool.query('delete from attempt_days where tenant_id = $1', [account.tenantId]);
  const later = await world.call('GET', `${at(account)}/warmup/reconciliation?date=${day}`, { key: admin });
  expect(later.json.data.items[1]).toMatchObject({ sub_cap: 29, accepted_by_esp: 25 });
});
