// Many domains at 00:00 UTC and several senders: nothing goes early, every domain releases exactly what its cap lets it, all
// of it is released, and of the senders one looks at a time. The size of a night: `npm run bench -- --only midnight`.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { takeLook } from '../../core/worker/shared-look.ts';
import { renewStatistics } from '../../core/worker/statistics.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { startReleaseLoop } from '../../sender/release/release-loop.ts';
import { releaseDue, type ReleaseDeps } from '../../sender/release/release.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { startService } from '../harness/service.ts';
import { isOnCitus } from '../harness/test-database.ts';
import { untilDayIsLongEnough, waitUntil } from '../harness/wait.ts';

const DOMAINS = 40;
const EACH = 70; // more than the cap of tier 0, less than that of tier 1
const CAPS = [50, 100];
const SENDERS = 3;

let context: Context;
let redis: RedisConnection;
let release: ReleaseDeps;

beforeAll(async () => {
  context = await createContext();
  redis = await openRedis(context.config, context.log);
  const gate = createGate(redis, context.config.KEY_PREFIX, context.log);
  release = { pool: context.db.pool, gate, fail: () => {}, maxAgeMs: 3_600_000, wake: () => {} };
});
afterAll(async () => {
  await redis.close();
  await context.close();
});

const rows = async <T extends object>(sql: string, values: unknown[] = []) =>
  (await context.db.pool.query<T>(sql, values)).rows;

async function defer(accounts: Account[], until: Date): Promise<void> {
  await context.db.pool.query(
    `insert into messages (id, tenant_id, domain_id, stream, state, reason, defer_reason, deferred_until, header_from,
       rcpt_to, subject, tags)
     select (left(uuid_floor(now() - interval '1 hour')::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid,
       t, d, 'transactional', 'deferred', 'warmup_cap', 'warmup_cap', $4, 'a@b.test', 'c' || n || '@d.test', 's', '[]'
     from unnest($1::uuid[], $2::uuid[]) as q(t, d), generate_series(1, $3) n`,
    [accounts.map((one) => one.tenantId), accounts.map((one) => one.domainId), EACH, until],
  );
}

const admittedOf = (accounts: Account[]) =>
  rows<{ domainId: string; admitted: number; used: number; reserved: number; waiting: number }>(
    `select m.domain_id as "domainId", count(*) filter (where m.admitted_day is not null)::int as admitted,
       count(*) filter (where m.deferred_until > now())::int as waiting, max(w.used) as used, max(w.reserved) as reserved
     from messages m left join warmup_days w on w.domain_id = m.domain_id
     where m.domain_id = any($1) group by 1`,
    [accounts.map((one) => one.domainId)],
  );

test('several senders release many domains at the moment: none early, to the cap of each, all of it', async () => {
  await untilDayIsLongEnough(60_000);
  const accounts: Account[] = [];
  for (let n = 0; n < DOMAINS; n += 1) accounts.push(await makeAccount(context.db, { tier: n % 2 }));
  const [{ now }] = (await rows<{ now: Date }>('select now()')) as [{ now: Date }];
  const moment = new Date(now.getTime() + 4_000);
  await defer(accounts, moment);
  let early = 0;
  const loops = Array.from({ length: SENDERS }, () => startReleaseLoop(release, context.log));
  try {
    const due = `state = 'deferred' and admitted_day is null and deferred_until <= $1`;
    await waitUntil(async () => {
      const [seen] = await rows<{ isEarly: boolean; admitted: number; due: number }>(
        `select now() < $1 as "isEarly", count(*) filter (where admitted_day is not null)::int as admitted,
           count(*) filter (where ${due})::int as due from messages`,
        [moment],
      );
      if (seen!.isEarly) early += seen!.admitted;
      return !seen!.isEarly && seen!.due === 0;
    });
  } finally {
    await Promise.all(loops.map((loop) => loop.stop()));
  }
  expect(early).toBe(0);
  const expected = accounts.map(({ domainId }, n) => {
    const admitted = Math.min(EACH, CAPS[n % 2]!);
    return { domainId, admitted, used: admitted, reserved: 0, waiting: EACH - admitted };
  });
  const byId = (a: { domainId: string }, b: { domainId: string }) => a.domainId.localeCompare(b.domainId);
  expect((await admittedOf(accounts)).toSorted(byId)).toEqual(expected.toSorted(byId));
});

test('a domain that somebody releases is passed over, and waited for by who has to release all', async () => {
  const [busy, other] = [
    await makeAccount(context.db, { tier: 1 }),
    await makeAccount(context.db, { tier: 1 }),
  ];
  await defer([busy, other], new Date(Date.now() - 1_000));
  const holder = await context.db.pool.connect();
  await holder.query('begin');
  await holder.query(`select pg_advisory_xact_lock(hashtextextended('release:' || $1, 0))`, [busy.domainId]);
  let isDone = false;
  const releasing = releaseDue(release, { now: null, tenantId: null }).finally(() => (isDone = true));
  try {
    await waitUntil(async () => (await admittedOf([other]))[0]!.admitted === EACH);
    expect(await admittedOf([busy])).toMatchObject([{ admitted: 0 }]);
    expect(isDone).toBe(false);
  } finally {
    await holder.query('commit');
    holder.release();
  }
  await releasing;
  expect(await admittedOf([busy])).toMatchObject([{ admitted: EACH, used: EACH }]);
});

test('a look is taken by one of many in its time, and again when the clock was set back', async () => {
  const { pool } = context.db;
  const take = () => Promise.all(Array.from({ length: 8 }, () => takeLook(pool, 'sweep', 60_000)));
  expect((await take()).filter(Boolean)).toHaveLength(1);
  expect((await take()).filter(Boolean)).toHaveLength(0);
  await pool.query(`update shared_looks set next_at = now() - interval '1 s' where name = 'sweep'`);
  expect((await take()).filter(Boolean)).toHaveLength(1);
  await pool.query(`update shared_looks set next_at = now() + interval '1 day' where name = 'sweep'`);
  expect((await take()).filter(Boolean)).toHaveLength(1);
});

// On Citus the rows are on workers, whose own autovacuum does it.
test.skipIf(isOnCitus())(
  'a sender renews statistics when much has changed, and not again at once',
  async () => {
    const { pool } = context.db;
    const weeks = () =>
      rows<{ name: string; known: number }>(
        `select s.relname as name, c.reltuples::int as known from pg_stat_user_tables s join pg_class c on c.oid = s.relid
       where s.schemaname = current_schema() and s.relname like 'messages\\_%' and s.n_live_tup > 0 and s.analyze_count > 0`,
      );
    const account = await makeAccount(context.db, { tier: 0 });
    const many = Array.from({ length: Math.ceil(5_000 / EACH) }, () => account);
    await defer(many, new Date(Date.now() + 3_600_000));
    const sender = await startService('sender', context.env);
    await waitUntil(async () => (await weeks()).some(({ known }) => known >= 5_000));
    await sender.kill();
    await defer(many, new Date(Date.now() + 3_600_000));
    expect(await renewStatistics(pool)).toEqual([]);
  },
);

test('senders with nothing to release make one look a second, however many they are', async () => {
  const loops = Array.from({ length: 8 }, () => startReleaseLoop(release, context.log));
  const looks: number[] = [];
  try {
    await waitUntil(async () => {
      const [row] = await rows<{ at: number }>(
        `select extract(epoch from next_at)::float8 * 1000 as at from shared_looks where name = 'release'`,
      );
      if (row && row.at !== looks.at(-1)) looks.push(row.at);
      return looks.length >= 4;
    });
  } finally {
    await Promise.all(loops.map((loop) => loop.stop()));
  }
  const gaps = looks.slice(1).map((at, n) => Math.round(at - looks[n]!));
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(900);
});
