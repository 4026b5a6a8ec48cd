// How the jobs stand: for the operators' view and the metrics.

import type pg from 'pg';

import type { Buckets } from '../db/buckets.ts';
import { JOB_NAMES, jobTime, type JobName } from './job-names.ts';
import { readDatabaseNow, readLastRunTimes, readLatestRuns, type JobSummary } from './job-store.ts';
import { latestRunTime, nextRunTime } from './run-times.ts';

/** One job: what it did last and when it is next. */
export interface JobState {
  job: JobName;
  does: string;
  nextRunTime: Date;
  /** The run time that is due and not done: it runs just now, it failed, or no scheduler is there. Else null. */
  openRunTime: Date | null;
  /** Null before its first run. */
  last: { runTime: Date; startedAt: Date; finishedAt: Date; durationMs: number; summary: JobSummary } | null;
}

/**
 * The state of every job over all buckets, in the order of the day: what finished last anywhere, and the run time that a bucket has
 * not done.
 */
export async function readAllJobStates(buckets: Buckets): Promise<JobState[]> {
  const [first, ...others] = await Promise.all(
    (await buckets.list()).map((bucket) => readJobStates(buckets.database(bucket).pool)),
  );
  return first!.map((state, index) => {
    // Some jobs run once for the service, in the first bucket.
    const ran = others.map((states) => states[index]!).filter(({ last }) => last !== null);
    return [state, ...ran].reduce(together);
  });
}

function together(a: JobState, b: JobState): JobState {
  const last = [a.last, b.last].reduce((one, two) => (isLater(two, one) ? two : one));
  return { ...a, openRunTime: a.openRunTime ?? b.openRunTime, last };
}

function isLater(run: JobState['last'], than: JobState['last']): boolean {
  return run !== null && (than === null || run.finishedAt > than.finishedAt);
}

/** The state of every job in one bucket. */
export async function readJobStates(pool: pg.Pool): Promise<JobState[]> {
  const now = await readDatabaseNow(pool);
  const [runs, done] = await Promise.all([readLatestRuns(pool), readLastRunTimes(pool, now)]);
  return JOB_NAMES.map((job) => {
    const run = runs.get(job);
    const last = run && {
      runTime: run.runTime,
      startedAt: run.startedAt,
      finishedAt: run.finishedAt,
      durationMs: run.finishedAt.getTime() - run.startedAt.getTime(),
      summary: run.summary,
    };
    const due = latestRunTime(job, now);
    const openRunTime = (done.get(job) ?? new Date(0)) < due ? due : null;
    return {
      job,
      does: jobTime(job).does,
      nextRunTime: nextRunTime(job, now),
      openRunTime,
      last: last ?? null,
    };
  });
}
