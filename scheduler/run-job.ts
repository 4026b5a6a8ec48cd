// Runs a job for one run time, once, however many schedulers there are.
//
// One transaction holds the job's lock, checks that it was not run yet, waits for the work, writes the row of the
// run and commits. The work itself is done in other, short transactions, each of which finds out by itself what was
// done before: so nothing is locked for long, and when the process dies in the middle, the lock and the missing row
// let another scheduler start again and do only what is left.
// Dies anywhere in here: docs/crashes-scheduler.md.

import { sleep } from '../core/base/clock.ts';
import { AppError } from '../core/base/errors.ts';
import { HOME } from '../core/db/service-tables.ts';
import { inTransaction } from '../core/db/transaction.ts';
import { isJobName, JOB_NAMES, jobTime, type JobName } from '../core/job/job-names.ts';
import { isRunDone, readClockTime, recordRun, tryLockJob, type JobSummary } from '../core/job/job-store.ts';
import { latestRunTime } from '../core/job/run-times.ts';
import type { JobDeps, JobRun, JobTable } from './job.ts';
import { JOBS } from './jobs.ts';

/** What a run answers; `ran` is false when it was run already. */
export interface JobResult {
  job: JobName;
  runTime: Date;
  ran: boolean;
  summary: JobSummary;
}

const LOCK_PAUSE_MS = 200;
const LONGEST_WAIT_MS = 120_000; // of a run by hand for the one that is in progress

/** Runs a job now in the bucket of `db`, by hand, by the clock `now`. Waits for a run that is in progress. Unknown names are refused. */
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
  const run = { now, runTime: latestRunTime(name, now), manual: true, late: false, signal };
  for (let waitedMs = 0; waitedMs <= LONGEST_WAIT_MS; waitedMs += LOCK_PAUSE_MS) {
    const result = await runAt(deps, name, run, jobs);
    if (result) return result;
    await sleep(LOCK_PAUSE_MS, signal);
    signal.throwIfAborted();
  }
  throw new AppError('unavailable', `The job ${name} is still running in another process; try again later.`);
}

/** Runs a job so in every bucket that it is for, one after the other. The answers are by bucket. */
export async function runJobInAll(
  deps: Omit<JobDeps, 'db'>,
  name: string,
  now: Date,
): Promise<Map<string, JobResult>> {
  const { buckets } = deps;
  const inFirst = isJobName(name) && jobTime(name).buckets === 'first';
  const results = new Map<string, JobResult>();
  for (const bucket of inFirst ? [HOME] : await buckets.list())
    results.set(bucket, await runJobOnce({ ...deps, db: buckets.database(bucket) }, name, now));
  return results;
}

/** Runs a job for a run time unless that is done. Null when another run of the job is in progress. */
export async function runAt(
  deps: JobDeps,
  name: JobName,
  run: JobRun,
  jobs: JobTable,
): Promise<JobResult | null> {
  return inTransaction(deps.db.pool, async (client) => {
    if (!(await tryLockJob(client, name))) return null;
    const answer = { job: name, runTime: run.runTime };
    if (!run.manual && (await isRunDone(client, name, run.runTime)))
      return { ...answer, ran: false, summary: {} };
    const startedAt = await readClockTime(client);
    const summary = await jobs[name](deps, run);
    run.signal.throwIfAborted(); // stopped half done: no row, so it is run again
    await recordRun(client, {
      ...answer,
      startedAt,
      summary: run.manual ? { ...summary, manual: true } : summary,
    });
    return { ...answer, ran: true, summary };
  });
}
