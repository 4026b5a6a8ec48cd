// Three schedulers whose clocks are apart by two minutes, killed at random over 60 days: every run time is run once, none
// is missed, and no tier moves twice in a day.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { utcDay } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { createBuckets } from '../../core/db/buckets.ts';
import { openDatabase, type Database } from '../../core/db/pool.ts';
import { JOB_NAMES, type JobName } from '../../core/job/job-names.ts';
import { nextRunTime, runTimesDue } from '../../core/job/run-times.ts';
import { seeded } from '../../local/simulate/behaviour.ts';
import type { JobDeps } from '../../scheduler/job.ts';
import { correctDay } from '../../core/warmup/counted-days.ts';
import { runDue, type LoopDeps } from '../../scheduler/job-loop.ts';
import { JOBS } from '../../scheduler/jobs.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { longForm, testSeed } from '../harness/form.ts';

const DAYS = longForm(20, 60);
// Jobs that run more often than we look make up for what they missed once, so that only these have a row a day.
const DAILY = JOB_NAMES.filter((job) => {
  const first = nextRunTime(job, new Date('2026-12-01T12:00:00Z'));
  return nextRunTime(job, first).getTime() - first.getTime() === 86_400_000;
});
const START = new Date('2026-12-01T12:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let context: Context;
beforeAll(async () => {
  context = await createContext();
});
afterAll(() => context.close());

interface Scheduler {
  name: string;
  skewMs: number;
  db: Database;
}

const seed = testSeed(); // TEST_SEED tries the same kills again, timing aside
const random = seeded(seed);

test(`${DAYS} days, three schedulers, random kills (seed ${seed})`, { timeout: 240_000 }, async () => {
  const accounts = await Promise.all([0, 0, 4].map((tier) => makeAccount(context.buckets.home, { tier })));
  let clock = START.getTime();
  const ran: { job: JobName; runTime: string }[] = [];
  const schedulers = await Promise.all([-MINUTE, 0, MINUTE].map((skewMs, i) => open(`s${i}`, skewMs)));
  await poll(schedulers[1]!, clock, ran); // the first poll sets the baseline
  for (let day = 1; day <= DAYS; day++) {
    await deliver(accounts, new Date(clock));
    const midnight = START.getTime() + day * DAY - 12 * 60 * MINUTE;
    // Sparse polls around the run times, some with a scheduler that is slow to come back.
    for (const minute of [-1, 0, 1, 31, 91, 121, 125, 181, 241, 300]) {
      clock = midnight + minute * MINUTE + Math.floor(random() * MINUTE);
      await Promise.all(
        schedulers.map(async (scheduler) => {
          const victim = random() < 0.3;
          const polling = poll(scheduler, clock, ran);
          if (victim) await kill(scheduler, random() * 25);
          await polling;
        }),
      );
    }
    clock = midnight + 12 * 60 * MINUTE;
  }
  clock += MINUTE * 2;
  for (const scheduler of schedulers) await poll(scheduler, clock, ran);

  const { rows } = await context.buckets.home.pool.query<{ job: JobName; slot: Date }>(
    `select job, slot from job_runs where not summary ? 'baseline' order by slot`,
  );
  for (const job of DAILY) {
    const runTimes = rows.filter((row) => row.job === job).map((row) => row.slot.toISOString());
    const expected = allRunTimes(job);
    expect(runTimes, job).toEqual(expected);
    const answers = ran.filter((one) => one.job === job).map((one) => one.runTime);
    // A kill between COMMIT and its answer hides a run from us, but nothing ever shows one twice.
    expect(new Set(answers).size, job).toBe(answers.length);
  }
  const { rows: moves } = await context.buckets.home.pool.query(
    `select domain_id, count(*)::int as moves, max(to_tier)::int as tier from warmup_history
     where action = 'advance' group by 1 order by 2`,
  );
  expect(moves.map((row) => [row.moves, row.tier])).toEqual([
    [6, 10],
    [10, 10],
    [10, 10],
  ]);
  const { rows: decided } = await context.buckets.home.pool.query(
    'select count(*)::int as n, count(distinct (domain_id, day))::int as days from warmup_rates',
  );
  expect(decided).toEqual([{ n: 3 * DAYS, days: 3 * DAYS }]);
  await Promise.all(schedulers.map(({ db }) => db.close()));
});

async function open(name: string, skewMs: number): Promise<Scheduler> {
  const url = new URL(context.config.DATABASE_URL);
  url.searchParams.set('application_name', name);
  const db = openDatabase({ ...context.config, DATABASE_URL: url.toString() }, context.log);
  return { name, skewMs, db };
}

// One poll of one scheduler, whatever becomes of it.
async function poll(
  scheduler: Scheduler,
  clock: number,
  ran: { job: JobName; runTime: string }[],
): Promise<void> {
  const deps: LoopDeps = {
    config: context.config,
    db: scheduler.db,
    buckets: createBuckets(scheduler.db),
    sender: { releaseDeferred: async () => ({ released: 0n, deferredAgain: 0n, done: true }) },
    dns: null as unknown as JobDeps['dns'],
    log: context.log,
    jobs: { ...JOBS, 'verify-domains': async () => ({}), 'launch-campaigns': async () => ({}) },
    metrics: {
      ran: (job, runTime) => void ran.push({ job, runTime: runTime.toISOString() }),
      failed: () => {},
      next: () => {},
    },
    now: async () => new Date(clock + scheduler.skewMs),
  };
  await runDue(deps, new AbortController().signal).catch(() => {});
}

// What SIGKILL is to PostgreSQL: all connections of the process end, wherever it was.
async function kill(scheduler: Scheduler, afterMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  await context.buckets.home.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = $1 and datname = current_database()`,
    [scheduler.name],
  );
}

function allRunTimes(job: JobName): string[] {
  const runTimes: string[] = [];
  for (let day = 0; day < DAYS; day++) {
    const from = new Date(START.getTime() + day * DAY);
    runTimes.push(
      ...runTimesDue(job, from, new Date(from.getTime() + DAY)).map((runTime) => runTime.toISOString()),
    );
  }
  return runTimes;
}

async function deliver(accounts: Account[], at: Date): Promise<void> {
  const hex = at.getTime().toString(16).padStart(12, '0');
  const rows = accounts.flatMap((account) =>
    Array.from({ length: 5 }, () => ({
      account,
      id: `${hex.slice(0, 8)}-${hex.slice(8)}-7${newUuid().slice(15)}`,
    })),
  );
  const values = [
    rows.map((row) => row.id),
    rows.map((row) => row.account.tenantId),
    rows.map((row) => row.account.domainId),
    at,
  ];
  await context.buckets.home.pool.query(
    `insert into messages (id, tenant_id, domain_id, stream, state, admitted_day, header_from, rcpt_to, subject, tags)
     select q.*, 'transactional', 'delivered', $4::timestamptz, 'a', 'b', 's', '[]'
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as q`,
    values,
  );
  await context.buckets.home.pool.query(
    `insert into message_attempts (message_id, attempt, tenant_id, at, duration_ms, esp, reply, outcome)
     select q.id, 1, q.tenant, $3, 1, 'direct', '', 'delivered' from unnest($1::uuid[], $2::uuid[]) as q(id, tenant)`,
    [values[0], values[1], at],
  );
  await context.buckets.home.pool.query(
    `insert into warmup_days (tenant_id, domain_id, day, cap, used)
     select distinct q.tenant, q.domain, $3::timestamptz::date, 100000, 5
     from unnest($1::uuid[], $2::uuid[]) as q(tenant, domain)`,
    [values[1], values[2], at],
  );
  await correctDay(context.buckets.home.pool, utcDay(at)); // delivery counts as it writes
}
