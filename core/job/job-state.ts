// How the jobs stand: for the operators' view and the metrics.

import type pg from 'pg';

import { JOB_NAMES, jobTime, type JobName } from './job-names.ts';
import { readDatabaseNow, readLatestRuns, type JobSummary } from './job-store.ts';
import { nextSlot } from './slots.ts';

/** One job: what it did last and when it is next. */
export interface JobState {
  job: JobName;
  does: string;
  nextSlot: Date;
  /** Null before its first run. */
  last: { slot: Date; startedAt: Date; finishedAt: Date; durationMs: number; summary: JobSummary } | null;
}

/** The state of every job, in the order of the day. */
export async function readJobStates(pool: pg.Pool): Promise<JobState[]> {
  const [now, runs] = await Promise.all([readDatabaseNow(pool), readLatestRuns(pool)]);
  return JOB_NAMES.map((job) => {
    const run = runs.get(job);
    const last = run && {
      slot: run.slot,
      startedAt: run.startedAt,
      finishedAt: run.finishedAt,
      durationMs: run.finishedAt.getTime() - run.startedAt.getTime(),
      summary: run.summary,
    };
    return { job, does: jobTime(job).does, nextSlot: nextSlot(job, now), last: last ?? null };
  });
}
