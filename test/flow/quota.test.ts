// The month of a tenant under several senders at once: never over its quota, never a send too few, and the count is that of
// the messages. Its row is locked at the end of a batch only: a batch that waits for it has written everything else.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { createBuckets } from '../../core/db/buckets.ts';
import { openDatabase, type Database } from '../../core/db/pool.ts';
import { createAccept, type Accept } from '../../sender/accept/accept.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, makeMessage, makeSubmission, type Account } from '../harness/factories.ts';
import { statementsWaiting } from '../harness/lock-waits.ts';
import { testBucket } from '../harness/test-database.ts';
import { waitUntil } from '../harness/wait.ts';

const SENDERS = 3;
const MONTHLY = 1_000; // of the plan `free`
const LEFT = 97;

let context: Context;
let redis: RedisConnection;
let dbs: Database[];
let accepts: Accept[];

beforeAll(async () => {
  context = await createContext();
  redis = await openRedis(context.config, context.log);
  const gate = createGate(redis, context.config.KEY_PREFIX, context.log);
  dbs = Array.from({ length: SENDERS }, () => openDatabase(context.config, context.log, { work: 'request' }));
  accepts = dbs.map((db) => {
    const { pool } = createBuckets(db).database(testBucket());
    const nothing = {
      fail: () => {},
      wake: () => {},
      deliver: () => {},
      capacity: () => 0,
      workerId: newUuid,
    };
    return createAccept({ ...nothing, pool, gate, maxAgeMs: 3_600_000, log: context.log });
  });
});
afterAll(async () => {
  await Promise.all(accepts.map((accept) => accept.drain()));
  await Promise.all(dbs.map((db) => db.close()));
  await redis.close();
  await context.close();
});

const rows = async <T extends object>(sql: string, values: unknown[] = []) =>
  (await context.db.pool.query<T>(sql, values)).rows;

const use = (tenantId: string, used: number) =>
  rows(`insert into tenant_usage values ($1, date_trunc('month', now() at time zone 'UTC')::date, $2)`, [
    tenantId,
    used,
  ]);

// A domain for each sender, so that batches of the tenant share no day's row.
async function domainsOfOne(): Promise<Account[]> {
  const first = await makeAccount(context.db, { tier: 10, plan: 'free' });
  const { tenantId } = first;
  const others = Array.from({ length: SENDERS - 1 }, () => makeAccount(context.db, { tier: 10, tenantId }));
  return [first, ...(await Promise.all(others))];
}

test('three senders use up the last of a quota: all of it, and not one send more', async () => {
  const accounts = await domainsOfOne();
  const { tenantId } = accounts[0]!;
  await use(tenantId, MONTHLY - LEFT);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => {
      const account = accounts[n % SENDERS]!;
      return accepts[n % SENDERS]!.submit(
        makeSubmission(
          account,
          [1, 2, 3].map(() => makeMessage(account)),
        ),
      );
    }),
  );
  const items = answers.flatMap((answer) => (answer.ok ? answer.items : []));
  expect(items.filter((item) => item.ok)).toHaveLength(LEFT);
  const refused = [...answers, ...items].flatMap((one) => (one.ok ? [] : [one.code]));
  expect(new Set(refused)).toEqual(new Set(['quota_exceeded']));
  expect(await rows('select used::int from tenant_usage where tenant_id = $1', [tenantId])).toEqual([
    { used: MONTHLY },
  ]);
  expect(await rows('select count(*)::int as n from messages where tenant_id = $1', [tenantId])).toEqual([
    { n: LEFT },
  ]);
});

test('a batch that waits for the month of its tenant has written all else, and finds what others used', async () => {
  const accounts = await domainsOfOne();
  const { tenantId } = accounts[0]!;
  await use(tenantId, MONTHLY - 2);
  const other = await context.db.pool.connect();
  await other.query('begin');
  await other.query('update tenant_usage set used = used + 1 where tenant_id = $1', [tenantId]);
  const submitted = accepts[0]!.submit(
    makeSubmission(accounts[0]!, [makeMessage(accounts[0]!), makeMessage(accounts[0]!)]),
  );
  try {
    await waitUntil(async () =>
      (await statementsWaiting(context.db.pool)).some((query) => /insert into tenant_usage/.test(query)),
    );
  } finally {
    await other.query('commit');
    other.release();
  }
  const answer = await submitted;
  expect(answer).toMatchObject({ ok: true, items: [{ ok: true }, { ok: false, code: 'quota_exceeded' }] });
  expect(await rows('select used::int from tenant_usage where tenant_id = $1', [tenantId])).toEqual([
    { used: MONTHLY },
  ]);
  expect(await rows('select count(*)::int as n from messages where tenant_id = $1', [tenantId])).toEqual([
    { n: 1 },
  ]);
});
