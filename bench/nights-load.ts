// Part "nights": the jobs that go by the counts of a day. First a day of 100 million attempts of 100,000 domains, as its counts
// alone; then a day that was really lived through, whose counts are compared with the full count of its rows.

import pg from 'pg';

import { utcDay } from '../core/base/clock.ts';
import { migrate } from '../core/db/migrate.ts';
import { inTransaction } from '../core/db/transaction.ts';
import { CHECK_LIMITS } from '../core/warmup/check-day.ts';
import { readDifferences } from '../core/warmup/full-count-store.ts';
import { readDayCounts } from '../core/warmup/ramp-store.ts';
import { storeAccepted } from '../core/warmup/reconcile-store.ts';
import type { JobDeps, JobRun } from '../scheduler/job.ts';
import { JOBS } from '../scheduler/jobs.ts';
import { liveThrough } from '../test/harness/attempt-history.ts';
import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';

const DOMAINS = 100_000;
const ATTEMPTS = 100_000_000;
const TENANTS = 1_000;
const ROUTES = [
  { name: 'direct', share: 1 },
  { name: 'relay', share: 0.5 },
];
const REAL_ATTEMPTS = 1_000_000;
const QUICK_REAL_ATTEMPTS = 50_000;
const REAL_DOMAINS = 1_000;
const ATTEMPTS_PER_MESSAGE = 1.3; // of that history
const LONGEST_COUNT_MS = 600_000;
const TARGET_MS = 60_000;
const DAY_MS = 86_400_000;

/** Runs the part. */
export async function measureNights(bench: Bench): Promise<Figure[]> {
  const counted = await withDatabase(bench, (pool) => measureCounted(bench, pool));
  const lived = await withDatabase(bench, (pool) => measureLived(bench, pool));
  return [...counted, ...lived];
}

async function measureCounted(bench: Bench, pool: pg.Pool): Promise<Figure[]> {
  const now = new Date();
  const day = utcDay(new Date(now.getTime() - DAY_MS));
  await fill(pool, day);
  bench.log(`${DOMAINS} domains with the counts of ${ATTEMPTS} attempts are there`);
  const rampMs = await timed(() => run(pool, 'auto-ramp', now));
  const { rows } = await pool.query<{ decided: number; moves: number }>(
    `select (select count(*)::int from warmup_rates where day = $1) as decided,
       (select count(*)::int from warmup_history) as moves`,
    [day],
  );
  if (rows[0]!.decided !== DOMAINS || rows[0]!.moves !== DOMAINS)
    throw new Error(`decided ${JSON.stringify(rows[0])}`);
  const storeMs = await timed(() => inTransaction(pool, (client) => storeAccepted(client, day, ROUTES)));
  const { wholeMs, sampleMs, domainMs } = CHECK_LIMITS;
  const checkMs = 2 * wholeMs + sampleMs + 2 * domainMs;
  const wrongMs = await timed(() => run(pool, 'reconcile', now));
  const target = { atMost: TARGET_MS };
  return [
    {
      id: 'nights.ramp',
      what: 'The ramp after 100 million attempts of 100,000 domains',
      detail: 'each domain decided, with its row of history',
      value: rampMs,
      unit: 'ms',
      target,
    },
    {
      id: 'nights.reconcile',
      what: 'The reconciliation of the same day, at most',
      detail: `${Math.round(storeMs)} ms for the counts; the check takes at most ${checkMs} ms`,
      value: storeMs + checkMs,
      unit: 'ms',
      target,
    },
    {
      id: 'nights.reconcile.wrong',
      what: 'The same job when every count is wrong',
      detail: 'there are no rows behind them: all are corrected',
      value: wrongMs,
      unit: 'ms',
      target,
    },
  ];
}

async function measureLived(bench: Bench, pool: pg.Pool): Promise<Figure[]> {
  const wanted = bench.options.quick ? QUICK_REAL_ATTEMPTS : REAL_ATTEMPTS;
  const accounts = await makeDomains(pool, REAL_DOMAINS);
  const messages = Math.ceil(wanted / ATTEMPTS_PER_MESSAGE);
  const plan = { seed: 16, accounts, messages, batch: 1_000, reportEvery: 200, writers: 4 };
  let attempts = 0;
  const livedMs = await timed(async () => (attempts = await liveThrough(pool, plan)));
  bench.log(`${attempts} attempts were lived through in ${Math.round(livedMs / 1000)} s`);
  await pool.query('vacuum analyze messages, message_attempts, events, attempt_days');
  let wrong = 0;
  let [fullMs, countsMs] = [0, 0];
  for (let n = 0; n < 4; n++) {
    const day = utcDay(new Date(Date.now() - n * DAY_MS));
    fullMs += await timed(
      async () => (wrong += (await readDifferences(pool, day, null, LONGEST_COUNT_MS)).rows.length),
    );
    countsMs += await timed(() => readDayCounts(pool, day));
  }
  const reconcileMs = await timed(() => run(pool, 'reconcile', new Date()));
  const detail = `${attempts} attempts with reports and complaints, over 4 days`;
  return [
    {
      id: 'nights.equal',
      what: 'Counts that differ from the full count',
      detail,
      value: wrong,
      unit: '',
      target: { atMost: 0 },
    },
    {
      id: 'nights.read',
      what: 'Reading their counts for the ramp',
      value: countsMs,
      unit: 'ms',
      raw: { what: 'the full count of the rows', value: fullMs, unit: 'ms' },
    },
    {
      id: 'nights.reconcile.lived',
      what: 'The reconciliation of one of these days, all of it checked',
      value: reconcileMs,
      unit: 'ms',
    },
  ];
}

// A ninth of them pauses, as many are demoted by complaints, the others advance.
async function fill(pool: pg.Pool, day: string): Promise<void> {
  await makeDomains(pool, DOMAINS);
  await pool.query(
    `insert into attempt_days (day, tenant_id, domain_id, esp, attempted, delivered, bounced, accepted, complained)
     select $1::date, tenant_id, id, esp, each, each - bad, bad, each - bad, case when n % 9 = 1 then each / 100 else 0 end
     from (select *, case when n % 9 = 0 then each / 20 else 0 end as bad from (
       select tenant_id, id, row_number() over (order by id) as n, $2::int as each from domains) numbered) as d
     cross join unnest($3::text[]) as esp`,
    [day, ATTEMPTS / DOMAINS / ROUTES.length, ROUTES.map(({ name }) => name)],
  );
  await pool.query(
    `insert into warmup_days (tenant_id, domain_id, day, cap, used)
     select tenant_id, id, d, 5000, 1000 from domains cross join unnest(array[$1::date, $1::date + 1]) d`,
    [day],
  );
  await pool.query('vacuum analyze');
}

async function makeDomains(pool: pg.Pool, count: number): Promise<{ tenantId: string; domainId: string }[]> {
  await pool.query(
    `insert into tenants (id, name, plan) select gen_random_uuid(), 'bench', 'scale' from generate_series(1, $1::int)`,
    [TENANTS],
  );
  const { rows } = await pool.query<{ tenantId: string; domainId: string }>(
    `insert into domains (id, tenant_id, name, status, tier, verified_at)
     select gen_random_uuid(), t.id, 'd' || n || '.bench', 'verified', 5, now()
     from (select id, row_number() over () as place from tenants) t
     join generate_series(1, $1::int) n on n % $2 + 1 = t.place
     returning tenant_id as "tenantId", id as "domainId"`,
    [count, TENANTS],
  );
  return rows;
}

async function run(pool: pg.Pool, job: 'auto-ramp' | 'reconcile', now: Date): Promise<unknown> {
  const config = { OUTBOUND_ROUTES: ROUTES.map(({ name, share }) => ({ name, sub_cap_share: share })) };
  // All that these two take of their surroundings.
  const home = { pool };
  const deps = { db: home, buckets: { home }, config, log: { error: () => {} } } as unknown as JobDeps;
  const signal = new AbortController().signal;
  const once: JobRun = { now, runTime: now, manual: true, late: false, signal };
  return JOBS[job](deps, once);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function withDatabase<T>(bench: Bench, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const name = bench.freshName();
  const url = new URL(bench.servers.databaseUrl);
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`create database ${name}`);
  url.pathname = `/${name}`;
  await admin.query(`alter database ${name} set synchronous_commit = off`); // a million outcomes are made, not measured
  await migrate(url.href);
  const pool = new pg.Pool({ connectionString: url.href, max: 8 });
  pool.on('error', () => {}); // its last connection may still be closing when the database goes
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}
