// Runs a job for one slot, once, however many schedulers there are.
//
// One transaction holds the job's lock, looks whether the slot is done, waits for the work, writes the row of the
// slot and commits. The work itself is done in other, short transactions, each of which finds out by itself what was
// done before: so nothing is locked for long, and when the process dies in the middle, the lock and the missing row
// let another scheduler start again and do only what is left.
// Dies anywhere in here: docs/crashes-scheduler.md.

import { sleep } from '../core/base/clock.ts';
import { AppError } from '../core/base/errors.ts';
import { inTransaction } from '../core/db/transaction.ts';
import { isJobName, JOB_NAMES, type JobName } from '../core/job/job-names.ts';
import { isSlotDone, readClockTime, recordRun, tryLockJob, type JobSummary } from '../core/job/job-store.ts';
import { latestSlot } from '../core/job/slots.ts';
import type { JobDeps, JobRun, JobTable } from './job.ts';
import { JOBS } from './jobs.ts';

/** What a run answers; `ran` is false when another scheduler has or had the slot. */
export interface JobResult {
  job: JobName;
  slot: Date;
  ran: boolean;
  summary: JobSummary;
}

const LOCK_PAUSE_MS = 200;
const LONGEST_WAIT_MS = 120_000; // of a run by hand for the one that is in progress

/** Runs a job now, by hand, by the clock `now`. Waits for a run that is in progress. Unknown names are refused. */
export async function runJobOnce(
  deps: JobDeps,
  name: string,
  now: Date,
  signal: AbortSignal = new AbortController().signal,
  jobs: JobTable = JOBS,
): Promise<JobResult> {
  if (!isJobName(name)) {
    throw new AppError('validation_failed', `There is no job ${name}; the jobs are ${JOB_NAMES.join(', ')}.`);
  }
  const run = { now, slot: latestSlot(name, now), manual: true, late: false, signal };
  for (let waitedMs = 0; waitedMs <= LONGEST_WAIT_MS; waitedMs += LOCK_PAUSE_MS) {
    const result = await runSlot(deps, name, run, jobs);
    if (result) return result;
    await sleep(LOCK_PAUSE_MS, signal);
    signal.throwIfAborted();
  }
  throw new AppError('unavailable', `The job ${name} is running elsewhere and takes long; try again later.`);
}

/** Runs a job for a slot unless that is done. Null when another run of the job is in progress. */
export async function runSlot(
  deps: JobDeps,
  name: JobName,
  run: JobRun,
  jobs: JobTable,
): Promise<JobResult | null> {
  return inTransaction(deps.db.pool, async (client) => {
    if (!(await tryLockJob(client, name))) return null;
    const answer = { job: name, slot: run.slot };
    if (!run.manual && (await isSlotDone(client, name, run.slot)))
      return { ...answer, ran: false, summary: {} };
    const startedAt = await readClockTime(client);
    const summary = await jobs[name](deps, run);
    run.signal.throwIfAborted(); // half done for a stop: the slot stays open
    await recordRun(client, {
      ...answer,
      startedAt,
      summary: run.manual ? { ...summary, manual: true } : summary,
    });
    return { ...answer, ran: true, summary };
  });
}
