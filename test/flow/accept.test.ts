// Accepting mail: the transaction that decides what becomes of each message.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { nextUtcMidnight, utcDay } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import type { Accepted, SubmissionAnswer } from '../../core/message/submission.ts';
import { addSuppressions } from '../../core/suppression/suppression-store.ts';
import { createAccept, type Accept } from '../../sender/accept/accept.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { releaseDue, type ReleaseDeps } from '../../sender/release/release.ts';
import { createContext, type Context } from '../harness/context.ts';
import {
  makeAccount,
  makeMessage,
  makeSubmission,
  markDelivered,
  type Account,
  setDay,
} from '../harness/factories.ts';

let context: Context;
let redis: RedisConnection;
let accept: Accept;
let release: ReleaseDeps;

beforeAll(async () => {
  context = await createContext();
  redis = await openRedis(context.config, context.log);
  const gate = createGate(redis, context.config.KEY_PREFIX, context.log);
  const { pool } = context.db;
  const worker = newUuid();
  const common = { pool, gate, fail: () => {}, maxAgeMs: 3_600_000, wake: () => {} };
  accept = createAccept({
    ...common,
    workerId: () => worker,
    capacity: () => 0,
    deliver: () => {},
    log: context.log,
  });
  release = common;
});

afterAll(async () => {
  await accept.drain();
  await redis.close();
  await context.close();
});

const items = (answer: SubmissionAnswer) => {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.items;
};
const sendOne = async (account: Account, more = {}) =>
  items(await accept.submit(makeSubmission(account, [makeMessage(account, more)])))[0]!;
const sendMany = (account: Account, count: number) =>
  Promise.all(Array.from({ length: count }, () => sendOne(account)));
const statuses = (answers: { ok: boolean }[]) => answers.map((one) => (one as Accepted).status);
const count = (list: string[], what: string) => list.filter((one) => one === what).length;
const dayRow = async (account: Account) => {
  const { rows } = await context.db.pool.query(
    'select * from warmup_days where domain_id = $1 order by day',
    [account.domainId],
  );
  return rows;
};

// Runs a script on what Redis counts of the account's domain today.
const inRedis = (account: Account, source: string) => {
  const key = `${context.config.KEY_PREFIX}:gate:{${account.tenantId}:${account.domainId}}:${utcDay(new Date())}`;
  return redis.run({ name: 't', source, sha1: 'x'.repeat(40) }, [key], []).catch(() => null);
};

test('the cap of tier 0 lets 50 through and defers the rest to the next 00:00 UTC', async () => {
  const account = await makeAccount(context.db);
  const answers = await sendMany(account, 120);
  expect(count(statuses(answers), 'queued')).toBe(50);
  const deferred = answers.find((one) => (one as Accepted).status === 'deferred') as Accepted;
  expect(deferred.reason).toBe('warmup_cap');
  expect(deferred.deferredUntil).toMatch(/T00:00:00\.000Z$/);
  expect(deferred.warmup).toEqual({ tier: 0, cap: 50, used: 50 });
  expect(await dayRow(account)).toMatchObject([{ cap: 50, used: 50, reserved: 0 }]);
});

test('what a day reserves for mail that waits is not for new mail', async () => {
  const account = await makeAccount(context.db);
  await setDay(context.db, account, { cap: 50, used: 46, reserved: 3 });
  expect(await sendOne(account)).toMatchObject({ status: 'queued' });
  await inRedis(account, "return redis.call('HSET', KEYS[1], 'reserved', 0)");
  expect(await sendOne(account)).toMatchObject({ status: 'deferred', reason: 'warmup_cap' });
});

test('the cap holds over Redis losing its data, rolling back, and counting too much', async () => {
  const account = await makeAccount(context.db);
  const run = (source: string) => inRedis(account, source);
  const flush = "return redis.call('DEL', KEYS[1])";
  await sendMany(account, 20);
  await run(flush);
  await sendMany(account, 10);
  await run("return redis.call('HSET', KEYS[1], 'used', 3)");
  await sendMany(account, 10);
  await run("return redis.call('HSET', KEYS[1], 'used', 50)");
  const answers = await sendMany(account, 60);
  expect(count(statuses(answers), 'queued')).toBe(10);
  expect((await dayRow(account))[0]).toMatchObject({ used: 50 });
});

test('a suppressed recipient is dropped, under the cap and over it, and takes neither admission nor quota', async () => {
  const account = await makeAccount(context.db);
  await context.db.pool.query(
    "insert into suppressions (tenant_id, email, reason) values ($1, $2, 'manual')",
    [account.tenantId, 'gone@simulator.test'],
  );
  const dropped = await sendOne(account, {
    rcptTo: 'Gone@simulator.test',
    recipientKey: 'gone@simulator.test',
  });
  expect(dropped).toMatchObject({ status: 'dropped', reason: 'suppressed', warmup: { used: 0 } });
  await sendMany(account, 51);
  const again = await sendOne(account, { rcptTo: 'gone@simulator.test' });
  expect(again).toMatchObject({ status: 'dropped', reason: 'suppressed' });
  const { rows } = await context.db.pool.query('select used from tenant_usage where tenant_id = $1', [
    account.tenantId,
  ]);
  expect(rows).toEqual([{ used: '51' }]);
});

test('refusals: unknown domain, unverified, paused, of another tenant', async () => {
  const account = await makeAccount(context.db);
  const other = await makeAccount(context.db);
  expect(await sendOne(account, { domain: other.domain })).toMatchObject({ code: 'domain_not_verified' });
  await context.db.pool.query(
    "update domains set warmup_state = 'paused', paused_reason = 'bounces' where id = $1",
    [account.domainId],
  );
  expect(await sendOne(account)).toMatchObject({
    code: 'domain_paused',
    message: expect.stringContaining('bounces'),
  });
  await context.db.pool.query("update domains set status = 'failed' where id = $1", [account.domainId]);
  expect(await sendOne(account)).toMatchObject({ code: 'domain_not_verified' });
});

test('the quota counts queued and deferred, and refuses at the cap: singly, and a batch as a whole', async () => {
  const account = await makeAccount(context.db, { plan: 'free' });
  await context.db.pool.query(
    "insert into tenant_usage values ($1, date_trunc('month', now() at time zone 'UTC')::date, 998)",
    [account.tenantId],
  );
  const three = () => [makeMessage(account), makeMessage(account), makeMessage(account)];
  const together = await accept.submit({ ...makeSubmission(account, three()), allOrNone: true });
  expect(together).toMatchObject({ ok: false, code: 'quota_exceeded', quota: { used: 998, cap: 1000 } });
  const batch = await accept.submit(makeSubmission(account, three()));
  expect(items(batch)).toMatchObject([{ ok: true }, { ok: true }, { code: 'quota_exceeded' }]);
  const whole = await accept.submit(makeSubmission(account, [makeMessage(account), makeMessage(account)]));
  expect(whole).toMatchObject({ ok: false, code: 'quota_exceeded', quota: { used: 1000, cap: 1000 } });
  expect((await dayRow(account))[0]).toMatchObject({ used: 2 });
});

test('an idempotency key gives one message under concurrent use, a conflict for another body', async () => {
  const account = await makeAccount(context.db);
  const first = await accept.submit(makeSubmission(account, [makeMessage(account)], 'k1'));
  const again = await accept.submit(makeSubmission(account, [makeMessage(account)], 'k1'));
  expect(again).toMatchObject({ ok: true, replayed: true });
  expect(items(again)).toEqual(items(first));
  const other = await accept.submit(makeSubmission(account, [makeMessage(account)], 'k1', 'other'));
  expect(other).toMatchObject({ code: 'idempotency_conflict' });
  const racing = await Promise.all(
    Array.from({ length: 20 }, () => accept.submit(makeSubmission(account, [makeMessage(account)], 'k2'))),
  );
  const ids = new Set(
    racing.flatMap((one) => (one.ok ? items(one).map((item) => (item as Accepted).id) : [])),
  );
  expect(ids.size).toBe(1);
  expect((await dayRow(account))[0]).toMatchObject({ used: 2 });
});

test('the same message id submitted again is the same message', async () => {
  const account = await makeAccount(context.db);
  const message = makeMessage(account);
  const [a, b, c] = await Promise.all([1, 2, 3].map(() => accept.submit(makeSubmission(account, [message]))));
  expect([a, b, c].every((one) => one!.ok)).toBe(true);
  expect((await dayRow(account))[0]).toMatchObject({ used: 1 });
  const stranger = await makeAccount(context.db);
  const stolen = await accept.submit(makeSubmission(stranger, [makeMessage(stranger, { id: message.id })]));
  expect(items(stolen)[0]).toMatchObject({ code: 'conflict' });
});

test('campaign mail leaves the transactional reserve alone', async () => {
  const account = await makeAccount(context.db, { reserve: 40 });
  const bulk = Array.from({ length: 80 }, () => makeMessage(account, { stream: 'bulk' }));
  const answers = items(await accept.submit(makeSubmission(account, bulk)));
  expect(count(statuses(answers), 'queued')).toBe(30);
  expect(count(statuses(await sendMany(account, 25)), 'queued')).toBe(20);
  await markDelivered(context.db, account);
  await releaseDue(release, { now: nextUtcMidnight(new Date()), tenantId: account.tenantId });
  expect((await dayRow(account))[1]).toMatchObject({ used: 35, bulk_used: 30 });
});

test('deferred mail goes first on the next day, in the order in which it came', async () => {
  const account = await makeAccount(context.db);
  const sent: string[] = [];
  for (let i = 0; i < 5; i++) {
    const messages = Array.from({ length: 26 }, () => makeMessage(account));
    sent.push(...messages.map((one) => one.id));
    await accept.submit(makeSubmission(account, messages));
  }
  await markDelivered(context.db, account);
  const tomorrow = nextUtcMidnight(new Date());
  const progress = await releaseDue(release, { now: tomorrow, tenantId: account.tenantId });
  expect(progress).toEqual({ released: 50, deferredAgain: 30 });
  const { rows } = await context.db.pool.query(
    'select id, admitted_day::text as day, state, deferred_until from messages where domain_id = $1 order by id',
    [account.domainId],
  );
  expect(rows.map((row) => row.id)).toEqual(sent);
  expect(rows.map((row) => row.day)).toEqual([
    ...Array(50).fill(utcDay(new Date())),
    ...Array(50).fill(utcDay(tomorrow)),
    ...Array(30).fill(null),
  ]);
  expect((await dayRow(account))[1]).toMatchObject({ used: 50, reserved: 0 });
});

test('what a sender still has when a day ends keeps its place before what came after it', async () => {
  const account = await makeAccount(context.db);
  const { pool } = context.db;
  const sent = (await sendMany(account, 52)).map((item) => (item as Accepted).id);
  const first = sent.toSorted()[0]!;
  const claim = `update messages set state = 'sending', claimed_by = $2 where id = $1`;
  await pool.query(claim, [first, newUuid()]);
  const tomorrow = nextUtcMidnight(new Date());
  const run = { now: tomorrow, tenantId: account.tenantId };
  expect(await releaseDue(release, run)).toEqual({ released: 49, deferredAgain: 1 });
  expect((await dayRow(account))[1]).toMatchObject({ used: 49 });

  await pool.query(`update messages set state = 'deferred', claimed_by = null where id = $1`, [first]);
  expect(await releaseDue(release, run)).toEqual({ released: 1, deferredAgain: 1 });
  const { rows } = await pool.query('select admitted_day::text as day from messages where id = $1', [first]);
  expect(rows).toEqual([{ day: utcDay(tomorrow) }]);
});

test('a poisoned submission fails alone', async () => {
  const account = await makeAccount(context.db);
  const [good, bad] = await Promise.all([
    accept.submit(makeSubmission(account, [makeMessage(account)])),
    accept.submit(makeSubmission(account, [makeMessage(account, { subject: 'nul \u0000 byte' })])),
  ]);
  expect(good).toMatchObject({ ok: true });
  expect(bad).toMatchObject({ ok: false, code: 'internal_error' });
});

test('at release a suppressed recipient is dropped without an admission, and a paused domain keeps its mail waiting', async () => {
  const account = await makeAccount(context.db);
  const { pool } = context.db;
  await accept.submit(
    makeSubmission(
      account,
      Array.from({ length: 52 }, (_, n) => makeMessage(account, address(n))),
    ),
  );
  await pool.query(
    "insert into suppressions (tenant_id, email, reason) values ($1, 'r51@simulator.test', 'manual')",
    [account.tenantId],
  );
  await markDelivered(context.db, account);
  const tomorrow = nextUtcMidnight(new Date());
  await pool.query("update domains set warmup_state = 'paused' where id = $1", [account.domainId]);
  expect(await releaseDue(release, { now: tomorrow, tenantId: account.tenantId })).toEqual({
    released: 0,
    deferredAgain: 2,
  });
  const waiting = await states(account, 'r50@simulator.test');
  expect(waiting).toMatchObject([{ state: 'deferred', defer_reason: 'domain_paused' }]);
  await pool.query("update domains set warmup_state = 'active' where id = $1", [account.domainId]);
  const later = nextUtcMidnight(tomorrow);
  expect(await releaseDue(release, { now: later, tenantId: account.tenantId })).toMatchObject({
    released: 1,
  });
  expect(await states(account, 'r51@simulator.test')).toMatchObject([
    { state: 'dropped', reason: 'suppressed' },
  ]);
  expect((await dayRow(account)).map((row) => row.used)).toEqual([50, 1]);
});

test('at release an unsubscribe drops campaign mail; of other mail its content decides, at its delivery', async () => {
  const account = await makeAccount(context.db);
  const { pool } = context.db;
  const message = (n: number) =>
    makeMessage(account, { ...address(n), ...(n === 51 && { stream: 'bulk' as const }) });
  const messages = Array.from({ length: 52 }, (_, n) => message(n));
  await accept.submit(makeSubmission(account, messages));
  const sourceMessageId = null;
  const { tenantId } = account;
  const entries = [50, 51].map((n) => {
    return { tenantId, email: address(n).rcptTo, reason: 'unsubscribe' as const, sourceMessageId };
  });
  await addSuppressions(pool, entries);
  await markDelivered(context.db, account);
  const now = nextUtcMidnight(new Date());
  expect(await releaseDue(release, { now, tenantId })).toMatchObject({ released: 1 });
  expect(await states(account, address(50).rcptTo)).toMatchObject([{ state: 'queued' }]);
  expect(await states(account, address(51).rcptTo)).toMatchObject([
    { state: 'dropped', reason: 'suppressed' },
  ]);
  const dropped = `select decisions from messages where tenant_id = $1 and state = 'dropped'`;
  expect((await pool.query(dropped, [tenantId])).rows).toMatchObject([
    { decisions: [{}, { rule: 'suppressed', inputs: { stream: 'bulk' } }] },
  ]);
});

test('mail whose domain was deleted while it waited ends as dropped', async () => {
  const account = await makeAccount(context.db);
  await accept.submit(
    makeSubmission(
      account,
      Array.from({ length: 51 }, (_, n) => makeMessage(account, address(n))),
    ),
  );
  await context.db.pool.query('delete from domains where id = $1', [account.domainId]);
  await releaseDue(release, { now: nextUtcMidnight(new Date()), tenantId: account.tenantId });
  expect(await states(account, 'r50@simulator.test')).toMatchObject([
    { state: 'dropped', reason: 'domain_deleted' },
  ]);
});

const address = (n: number) => ({ rcptTo: `r${n}@simulator.test` });
const states = async (account: Account, rcptTo: string) => {
  const { rows } = await context.db.pool.query(
    'select state, reason, defer_reason from messages where tenant_id = $1 and rcpt_to = $2',
    [account.tenantId, rcptTo],
  );
  return rows;
};
