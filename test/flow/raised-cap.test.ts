// Room under today's cap: mail that waits for it goes at once, the oldest first, and no newer mail of its stream passes it.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { openNats, type Nats } from '../../core/clients/nats.ts';
import { applyDecision } from '../../core/domain/apply-decision.ts';
import { selectDomain } from '../../core/domain/domain-store.ts';
import { patchDomain } from '../../core/domain/domains.ts';
import type { Accepted, NewMessage } from '../../core/message/submission.ts';
import { overrideTier, resumeDomain } from '../../core/warmup/change-tier.ts';
import { rampTiers } from '../../core/warmup/ramp.ts';
import { releaseBrake } from '../../core/warmup/release-brake.ts';
import { createAccept, type Accept } from '../../sender/accept/accept.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { freeReserved, releaseDue, useRaisedCaps, type ReleaseDeps } from '../../sender/release/release.ts';
import { TESTER } from '../harness/actor.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, makeMessage, makeSubmission, type Account } from '../harness/factories.ts';
import { untilDayIsLongEnough } from '../harness/wait.ts';

let context: Context;
let redis: RedisConnection;
let nats: Nats;
let accept: Accept;
let deps: ReleaseDeps;

beforeAll(async () => {
  await untilDayIsLongEnough(120_000);
  context = await createContext();
  redis = await openRedis(context.config, context.log);
  nats = openNats(context.config, context.log);
  const gate = createGate(redis, context.config.KEY_PREFIX, context.log);
  deps = { pool: context.db.pool, gate, fail: () => {}, maxAgeMs: 3_600_000, wake: () => {} };
  accept = createAccept({
    ...deps,
    workerId: newUuid,
    capacity: () => 0,
    deliver: () => {},
    log: context.log,
  });
});
afterAll(async () => {
  await accept.drain();
  await nats.close();
  await redis.close();
  await context.close();
});

const query = async <T extends object>(text: string, values: unknown[] = []) =>
  (await context.db.pool.query<T>(text, values)).rows;
const release = ({ tenantId }: Account) => releaseDue(deps, { now: null, tenantId });
const live = () => ({ db: context.db, nats });
const at = ({ tenantId, domainId }: Account) => ({ tenantId, domain: { id: domainId } });
const TO_TIER_1 = { tier: 1, reason: 'test' };

/** Sends so many, and returns how many of them are queued. */
async function send(account: Account, count: number, stream: NewMessage['stream'] = 'transactional') {
  const messages = Array.from({ length: count }, () =>
    makeMessage(account, { stream, subject: stream, campaignId: stream === 'bulk' ? newUuid() : null }),
  );
  const answer = await accept.submit(makeSubmission(account, messages));
  if (!answer.ok) throw new Error(answer.message);
  return answer.items.filter((one) => (one as Accepted).status === 'queued').length;
}

/** By stream: how many are admitted, and whether each of them is older than all that wait. */
async function admitted({ tenantId }: Account) {
  const rows = await query<{ stream: string; n: number; inOrder: boolean }>(
    `select stream, count(admitted_day)::int as n,
       coalesce(max(id::text) filter (where admitted_day is not null) < min(id::text) filter (where admitted_day is null),
         true) as "inOrder"
     from messages where tenant_id = $1 group by 1`,
    [tenantId],
  );
  expect(rows.filter(({ inOrder }) => !inOrder)).toEqual([]);
  return Object.fromEntries(rows.map(({ stream, n }) => [stream, n]));
}

const dayOf = async ({ domainId }: Account) =>
  (await query('select used, cap, reserved from warmup_days where domain_id = $1', [domainId]))[0];

test('a raised tier: what waits goes within the new cap, and what comes meanwhile waits behind it', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  expect(await send(account, 120)).toBe(50);
  await overrideTier(live(), TESTER, at(account), TO_TIER_1);
  expect(await dayOf(account)).toEqual({ used: 50, cap: 100, reserved: 50 });
  expect(await send(account, 5)).toBe(0);
  await release(account);
  expect(await admitted(account)).toEqual({ transactional: 100 });
  expect(await dayOf(account)).toEqual({ used: 100, cap: 100, reserved: 0 });
});

test('mail that was deferred by the old cap right after the raise goes within a second', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  await send(account, 60);
  await overrideTier(live(), TESTER, at(account), TO_TIER_1);
  const midnight = "date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '1 day'";
  await query(
    `update messages set deferred_until = ${midnight} where tenant_id = $1 and state = 'deferred'`,
    [account.tenantId],
  );
  await release(account);
  expect(await admitted(account)).toEqual({ transactional: 50 });
  await useRaisedCaps(deps);
  expect(await dayOf(account)).toMatchObject({ used: 50, reserved: 10 });
  await release(account);
  expect(await admitted(account)).toEqual({ transactional: 60 });
});

test('new mail uses what the waiting mail leaves', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  await send(account, 60);
  await overrideTier(live(), TESTER, at(account), TO_TIER_1);
  expect(await send(account, 45)).toBe(40);
  await release(account);
  expect(await admitted(account)).toEqual({ transactional: 100 });
});

test('scheduled mail waits for its time', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  const later = makeMessage(account, { scheduledAt: new Date(Date.now() + 3_600_000) });
  expect(await accept.submit(makeSubmission(account, [later]))).toMatchObject({ ok: true });
  await overrideTier(live(), TESTER, at(account), TO_TIER_1);
  await release(account);
  expect(await admitted(account)).toEqual({ transactional: 0 });
});

test('transactional mail that waits goes before campaign mail that came earlier', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  await send(account, 50);
  await send(account, 60, 'bulk');
  await send(account, 30);
  await overrideTier(live(), TESTER, at(account), TO_TIER_1);
  await release(account);
  expect(await admitted(account)).toEqual({ transactional: 80, bulk: 20 });
});

test('a smaller reserve lets campaign mail go', async () => {
  const account = await makeAccount(context.db, { tier: 0, reserve: 50 });
  expect(await send(account, 40, 'bulk')).toBe(25);
  await patch(account, { transactional_reserve: 20 });
  expect(await send(account, 5, 'bulk')).toBe(0);
  await release(account);
  expect(await admitted(account)).toEqual({ bulk: 40 });
  expect(await send(account, 10)).toBe(10);
});

test('after a pause, what it held goes before new mail', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  await send(account, 60);
  await pauseWith(account, 40);
  await resumeDomain(live(), TESTER, at(account), { reason: '' });
  expect(await send(account, 5)).toBe(0);
  await release(account);
  expect(await admitted(account)).toEqual({ transactional: 50 });
});

// As if 40 of the admitted messages had never been: they are held instead.
async function pauseWith({ domainId }: Account, held: number): Promise<void> {
  await query(
    `update messages set admitted_day = null, state = 'deferred', next_attempt_at = null, defer_reason = 'domain_paused',
       deferred_until = now() + interval '1 hour', claimed_by = null
     where id in (select id from messages where domain_id = $1 and admitted_day is not null order by id desc limit $2)`,
    [domainId, held],
  );
  await query('update warmup_days set used = used - $2 where domain_id = $1', [domainId, held]);
  await query(`update domains set warmup_state = 'paused' where id = $1`, [domainId]);
}

test('after the brake, what it held goes before new mail of its stream', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  await query(`update domains set brake_state = 'bulk', brake_since = now() where id = $1`, [
    account.domainId,
  ]);
  expect(await send(account, 60, 'bulk')).toBe(0);
  await releaseBrake(live(), TESTER, account.tenantId, account.domainId);
  expect(await send(account, 5, 'bulk')).toBe(0);
  await release(account);
  expect(await admitted(account)).toEqual({ bulk: 50 });
});

test('a brake that is turned off holds nothing', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  await query(`update domains set brake_state = 'all', brake_since = now() where id = $1`, [
    account.domainId,
  ]);
  expect(await send(account, 20, 'bulk')).toBe(0);
  await patch(account, { brake_enabled: false });
  await release(account);
  expect(await admitted(account)).toEqual({ bulk: 20 });
});

test('the records of a domain are found again: what waited for them goes', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  await send(account, 10);
  await pauseWith(account, 10);
  await query(`update domains set warmup_state = 'active', status = 'failed' where id = $1`, [
    account.domainId,
  ]);
  const domain = (await selectDomain(context.db.pool, account.tenantId, account.domainId))!;
  const decision = {
    status: 'verified',
    recordStatus: {},
    failingSince: null,
    promoteKeys: false,
    reason: '',
  };
  expect(await applyDecision(live(), TESTER, domain, { ...decision, status: 'verified' })).toBe('verified');
  await release(account);
  expect(await admitted(account)).toEqual({ transactional: 10 });
});

test('the daily ramp raises a tier: what waited for the cap of before goes', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  expect(await send(account, 90)).toBe(50);
  await query(
    `insert into attempt_days (tenant_id, domain_id, esp, day, attempted, delivered, accepted)
     values ($1, $2, 'direct', (now() at time zone 'UTC')::date - 1, 50, 50, 50)`,
    [account.tenantId, account.domainId],
  );
  await rampTiers(context.db.pool, { now: new Date(), late: false });
  expect(await dayOf(account)).toEqual({ used: 50, cap: 100, reserved: 40 });
  await release(account);
  expect(await admitted(account)).toEqual({ transactional: 90 });
});

test('admissions that were reserved for more mail than there is go to what was deferred meanwhile', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  await send(account, 1);
  await query('update warmup_days set reserved = 49 where domain_id = $1', [account.domainId]);
  expect(await send(account, 20)).toBe(0);
  await freeReserved(deps);
  await release(account);
  expect(await admitted(account)).toEqual({ transactional: 21 });
});

test('a receipt that came while the night’s campaign mail was released goes with it', async () => {
  const account = await makeAccount(context.db, { tier: 0, reserve: 50 });
  await send(account, 80, 'bulk');
  await query(
    `update messages set deferred_until = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC', admitted_day = null,
       state = 'deferred', next_attempt_at = null, defer_reason = 'warmup_cap' where tenant_id = $1`,
    [account.tenantId],
  );
  await query('update warmup_days set used = 0, bulk_used = 0, reserved = 50 where domain_id = $1', [
    account.domainId,
  ]);
  expect(await send(account, 10)).toBe(0); // all of the cap is reserved for mail that came first
  await release(account);
  expect(await admitted(account)).toEqual({ bulk: 25, transactional: 10 });
});

test('changes and new mail at once: none waits for the other for ever, and the cap holds', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  await send(account, 400);
  let isDone = false;
  const sending = (async () => {
    while (!isDone) {
      await Promise.all([send(account, 3), send(account, 2, 'bulk')]);
      await sleep(5);
    }
  })();
  for (const tier of [1, 2, 3]) {
    await overrideTier(live(), TESTER, at(account), { tier, reason: 'test' });
    await patch(account, { transactional_reserve: tier });
    await releaseBrake(live(), TESTER, account.tenantId, account.domainId);
    await release(account);
  }
  isDone = true;
  await sending;
  await release(account);
  const [held] = await query<{ used: number }>(
    'select count(admitted_day)::int as used from messages where tenant_id = $1',
    [account.tenantId],
  );
  expect(held!.used).toBeLessThanOrEqual(500);
  expect(await dayOf(account)).toMatchObject({ ...held, cap: 500 });
});

function patch(account: Account, change: Parameters<typeof patchDomain>[4]) {
  return patchDomain(
    { ...live(), config: context.config },
    TESTER,
    account.tenantId,
    account.domainId,
    change,
  );
}
