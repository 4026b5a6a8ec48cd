// Waiting mail shows its current reason. If its domain is paused or not verified, that replaces the earlier reason on every
// surface. When that ends, the earlier reason is shown again.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { readWaiting } from '../../core/reputation/overview-store.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeAccount, setDay, type Account } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';

const MAX_AGE_MS = 96 * 3_600_000;
const A_TIME = expect.stringMatching(/Z$/);

let world: ApiWorld;
let account: Account;
let key: string;
let waiting: { id: string; reason: string }[];
beforeAll(async () => {
  world = await createApiWorld();
  account = await makeAccount(world.context.db);
  const rows = [
    { reason: 'warmup_cap' },
    { reason: 'scheduled' },
    { reason: 'brake' },
    { reason: 'remote_4xx', retry: true },
  ];
  waiting = await Promise.all(
    rows.map(async ({ reason, retry = false }) => {
      const row = { state: 'deferred', deferReason: reason, domainId: account.domainId, retry };
      return { id: await makeMessageRow(world.context.db, account.tenantId, row), reason };
    }),
  );
});
// A key has 60 reads a minute.
beforeEach(async () => {
  ({ key } = await world.makeKey({
    tenantId: account.tenantId,
    scopes: ['transactional:send', 'transactional:read'],
  }));
});
afterAll(() => world?.close());

const set = (column: string, value: string) =>
  world.context.db.pool.query(`update domains set ${column} = $2 where id = $1`, [account.domainId, value]);

// The reason and the time that each surface gives for a message.
async function saidOf(id: string): Promise<[string, unknown][]> {
  const { json } = await world.call('GET', `/transactional/${toId('msg', id)}`, { key });
  const list = (await world.call('GET', '/transactional?limit=50', { key })).json.data.items;
  const listed = list.find((one: { id: string }) => one.id === toId('msg', id));
  return [json.data, listed].map((one) => [one.defer_reason, one.deferred_until]);
}

async function overview(): Promise<string[]> {
  const { pool } = world.context.db;
  const counts = await readWaiting(pool, account.tenantId, account.domain, MAX_AGE_MS);
  return counts
    .map(({ reason, count, until }) => `${count} ${reason}, ${until ? 'a time' : 'no time'}`)
    .toSorted();
}

const asBefore = async () => {
  for (const { id, reason } of waiting)
    expect(await saidOf(id), reason).toEqual([
      [reason, A_TIME],
      [reason, A_TIME],
    ]);
  expect(await overview()).toEqual(waiting.map(({ reason }) => `1 ${reason}, a time`).toSorted());
};

test.each([
  ['a pause', 'warmup_state', 'paused', 'active', /^Waits: the sending domain is paused\.$/],
  [
    'records that went',
    'status',
    'failed',
    'verified',
    /^Waits: the sending domain is not verified \(failed\)\.$/,
  ],
])('%s is what all mail of the domain waits for, with no time; then it waits as before', async (...of) => {
  const [, column, held, free, words] = of;
  await asBefore();
  await set(column, held);
  for (const { id, reason } of waiting) {
    expect(await saidOf(id), reason).toEqual([
      ['domain_paused', null],
      ['domain_paused', null],
    ]);
    const { json } = await world.call('GET', `/transactional/${toId('msg', id)}/explain`, { key });
    expect(json.data.decisions.at(-1)).toMatchObject({
      rule: 'domain_paused',
      outcome: { state: 'deferred', until: null, text: expect.stringMatching(words) },
    });
  }
  expect(await overview()).toEqual(['4 domain_paused, no time']);
  await set(column, free);
  await asBefore();
});

// One message a minute goes beside it: how often a sender asks for a message says nothing about when it goes.
test('mail that the brake holds waits until 00:00 UTC, however soon a sender asks for it again', async () => {
  const row = { state: 'deferred', deferReason: 'brake', domainId: account.domainId, retry: true };
  const id = await makeMessageRow(world.context.db, account.tenantId, row);
  const { pool } = world.context.db;
  const note = { rule: 'brake', at: new Date(), attempts: 0, inputs: { brake: 'all', retry_in_ms: 20_000 } };
  await pool.query(
    `update messages set next_attempt_at = $3::timestamptz + interval '20 seconds', decisions = $2 where id = $1`,
    [id, JSON.stringify([note]), note.at],
  );
  await pool.query(`update domains set brake_state = 'all', brake_since = now() where id = $1`, [
    account.domainId,
  ]);
  const midnight = new Date(note.at).setUTCHours(24, 0, 0, 0);
  const until = new Date(midnight).toISOString();
  expect(await saidOf(id)).toEqual([
    ['brake', until],
    ['brake', until],
  ]);
  const { json } = await world.call('GET', `/transactional/${toId('msg', id)}/explain`, { key });
  expect(json.data.decisions.at(-1)).toMatchObject({
    outcome: { until, text: expect.stringMatching(/^Waits until .* 00:00 UTC: the same-day brake/) },
    next_step: expect.stringContaining('one transactional message a minute'),
  });
  const counts = await readWaiting(pool, account.tenantId, account.domain, MAX_AGE_MS);
  expect(counts.find(({ reason }) => reason === 'brake')!.until).toEqual(new Date(midnight));
  await set('brake_state', 'off');
  expect((await saidOf(id))[0]).toEqual(['brake', new Date(note.at.getTime() + 20_000).toISOString()]);
});

test('a message says when it is expected to be delivered: behind a backlog that is days', async () => {
  const one = await makeAccount(world.context.db, { tier: 0 });
  const scopes = ['transactional:send', 'transactional:read'];
  const { key: own } = await world.makeKey({ tenantId: one.tenantId, scopes });
  const waits = { state: 'deferred', deferReason: 'warmup_cap', domainId: one.domainId };
  const ids: string[] = [];
  for (let n = 0; n < 101; n++) ids.push(await makeMessageRow(world.context.db, one.tenantId, waits));
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  await setDay(world.context.db, one, { cap: 50, used: 50 });
  await world.context.db.pool.query('update messages set deferred_until = $2 where domain_id = $1', [
    one.domainId,
    new Date(midnight),
  ]);
  const expectedAt = async (id: string) =>
    (await world.call('GET', `/transactional/${toId('msg', id)}`, { key: own })).json.data.expected_at;
  expect(await expectedAt(ids[99]!)).toBe(new Date(midnight).toISOString()); // tier 1 has 100
  expect(await expectedAt(ids[100]!)).toBe(new Date(midnight + 86_400_000).toISOString());
  await world.context.db.pool.query(`update domains set warmup_state = 'paused' where id = $1`, [
    one.domainId,
  ]);
  expect(await expectedAt(ids[0]!)).toBeNull();
});

test('a pause holds no mail of this service itself', async () => {
  const row = { state: 'deferred', deferReason: 'warmup_cap', domainId: account.domainId };
  const id = await makeMessageRow(world.context.db, account.tenantId, row);
  await world.context.db.pool.query(`update messages set origin = 'reset' where id = $1`, [id]);
  await set('warmup_state', 'paused');
  expect(await saidOf(id)).toEqual([
    ['warmup_cap', A_TIME],
    ['warmup_cap', A_TIME],
  ]);
  await set('warmup_state', 'active');
});

test('mail of a domain that was deleted since waits for what its row says', async () => {
  const row = { state: 'deferred', deferReason: 'warmup_cap', domainId: newUuid() };
  const id = await makeMessageRow(world.context.db, account.tenantId, row);
  expect((await saidOf(id))[0]).toEqual(['warmup_cap', A_TIME]);
});
