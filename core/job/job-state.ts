// How the jobs stand: for the operators' view and the metrics.

import type pg from 'pg';

import { JOB_NAMES, jobTime, type JobName } from './job-names.ts';
import { readDatabaseNow, readLastSlots, readLatestRuns, type JobSummary } from './job-store.ts';
import { latestSlot, nextSlot } from './slots.ts';

/** One job: what it did last and when it is next. */
export interface JobState {
  job: JobName;
  does: string;
  nextSlot: Date;
  /** The slot that has come and is not done: it runs just now, it failed, or no scheduler is there. Else null. */
  openSlot: Date | null;
  /** Null before its first run. */
  last: { slot: Date; startedAt: Date; finishedAt: Date; durationMs: number; summary: JobSummary } | null;
}

/** The state of every job, in the order of the day. */
export async function readJobStates(pool: pg.Pool): Promise<JobState[]> {
  const now = await readDatabaseNow(pool);
  const [runs, done] = await Promise.all([readLatestRuns(pool), readLastSlots(pool, now)]);
  return JOB_NAMES.map((job) => {
    const run = runs.get(job);
    const last = run && {
      slot: run.slot,
      startedAt: run.startedAt,
      finishedAt: run.finishedAt,
      durationMs: run.finishedAt.getTime() - run.startedAt.getTime(),
      summary: run.summary,
    };
    const due = latestSlot(job, now);
    const openSlot = (done.get(job) ?? new Date(0)) < due ? due : null;
    return { job, does: jobTime(job).does, nextSlot: nextSlot(job, now), openSlot, last: last ?? null };
  });
}
