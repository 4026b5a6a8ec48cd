// The record of job runs: one row per (job, run time); the column of the run time is `slot`. The row is written in the
// transaction that holds the job's lock,
// after the work, so that a scheduler that dies in the middle leaves no row and another runs it.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';
import type { jobRuns } from '../db/schema/operations.ts';
import { OF_THIS_BUCKET } from '../db/service-tables.ts';

/** What a job reports of its run, kept with it and shown to operators. */
export type JobSummary = Record<string, unknown>;

/** One run as it is stored. */
export type JobRunRow = Omit<typeof jobRuns.$inferSelect, 'slot' | 'summary'> & {
  runTime: Date;
  summary: JobSummary;
};

/** The database's time: by which a run is due. */
export async function readDatabaseNow(pool: pg.Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>({ name: 'job-now', text: 'select now() as now' });
  return rows[0]!.now;
}

/** Takes the job's lock in this bucket until the transaction ends. False while another run there, on any process, has it. */
export async function tryLockJob(client: pg.ClientBase, job: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>({
    name: 'job-lock',
    text: `select pg_try_advisory_xact_lock(hashtextextended('postrider:job:' || $1 || ${OF_THIS_BUCKET}, 0)) as locked`,
    values: [job],
  });
  return rows[0]!.locked;
}

/** Whether it was run by schedule. A run by hand does not count. */
export async function isRunDone(client: pg.ClientBase, job: string, runTime: Date): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'job-run-done',
    text: `select from job_runs where job = $1 and slot = $2 and not summary ? 'manual'`,
    values: [job, runTime],
  });
  return rowCount === 1;
}

/** Writes the run. A manual run never replaces a scheduled one; a scheduled run replaces a manual one. */
export async function recordRun(client: pg.ClientBase, run: Omit<JobRunRow, 'finishedAt'>): Promise<void> {
  await client.query({
    name: 'job-record',
    text: `insert into job_runs as r (job, slot, started_at, finished_at, summary)
           values ($1, $2, $3, clock_timestamp(), $4)
           on conflict (job, slot) do update
             set started_at = excluded.started_at, finished_at = excluded.finished_at, summary = excluded.summary
             where r.summary ? 'manual'`,
    values: [run.job, run.runTime, run.startedAt, JSON.stringify(run.summary)],
  });
}

/** The clock of a run's start: not that of the transaction, which may have waited for a lock. */
export async function readClockTime(client: pg.ClientBase): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>({
    name: 'job-clock',
    text: 'select clock_timestamp() as now',
  });
  return rows[0]!.now;
}

/** The last run time of every job that was run by schedule and is not after `now`. */
export async function readLastRunTimes(pool: pg.Pool, now: Date): Promise<Map<string, Date>> {
  const { rows } = await pool.query<{ job: string; runTime: Date }>({
    name: 'job-last-run-times',
    text: `select job, max(slot) as "runTime" from job_runs
           where slot <= $1 and not summary ? 'manual' group by job`,
    values: [now],
  });
  return new Map(rows.map((row) => [row.job, row.runTime]));
}

/**
 * A job that never ran has missed nothing: its last run time is stored as the point from which run times count, so
 * that a first start does no work, and a scheduler that dies right after it misses none.
 */
export async function writeBaseline(pool: pg.Pool, job: string, runTime: Date): Promise<void> {
  await pool.query({
    name: 'job-baseline',
    text: `insert into job_runs (job, slot, started_at, finished_at, summary)
           values ($1, $2, clock_timestamp(), clock_timestamp(), '{"baseline": true}')
           on conflict (job, slot) do nothing`,
    values: [job, runTime],
  });
}

/** The latest run of every job, the one by schedule or by hand that finished last. */
export async function readLatestRuns(pool: pg.Pool): Promise<Map<string, JobRunRow>> {
  const { rows } = await pool.query<JobRunRow>({
    name: 'job-latest-runs',
    text: `select distinct on (job) job, slot as "runTime", started_at as "startedAt", finished_at as "finishedAt", summary
           from job_runs where not summary ? 'baseline' order by job, finished_at desc`,
  });
  return new Map(rows.map((row) => [row.job, row]));
}

/** Deletes the rows of runs older than a time, but for the last of each job. */
export async function deleteOldRuns(pool: pg.Pool, before: Date): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'job-delete-old',
    text: `delete from job_runs r where slot < $1
             and exists (select from job_runs later where later.job = r.job and later.slot > r.slot
                           and not later.summary ? 'manual')`,
    values: [before],
  });
  return rowCount ?? 0;
}
