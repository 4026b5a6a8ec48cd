// Runs every job at its times: reads the database's clock, runs what is due and not done, sleeps until the next run
// time. A run that fails is tried again after a pause; jobs run one after the other, so that the order of the
// day (release, reset, ramp) holds after a downtime too. Buckets come one after the other as well, since a run holds a connection
// beside those that it works with; schedulers that run side by side share them out.

import { monotonicMs } from '../core/base/clock.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { JOB_NAMES, jobTime, type JobName } from '../core/job/job-names.ts';
import { readDatabaseNow, readLastRunTimes, writeBaseline } from '../core/job/job-store.ts';
import { latestRunTime, nextRunTime, runTimesDue } from '../core/job/run-times.ts';
import { isInFirst, type JobDeps, type JobTable } from './job.ts';
import type { JobMetrics } from './job-metrics.ts';
import { runAt } from './run-job.ts';

/** What the loop needs. `now` is the database's clock; a simulation gives its own. */
export interface LoopDeps extends JobDeps {
  jobs: JobTable;
  metrics: JobMetrics;
  now?: () => Promise<Date>;
}

const LONGEST_SLEEP_MS = 5_000; // the clock of the database may be set while we sleep; a look costs three short reads
const SHORTEST_SLEEP_MS = 50;

/** What the loop over all buckets needs: `places` are those that are open, the first one first. */
interface AllDeps extends Omit<LoopDeps, 'db' | 'metrics'> {
  places(): (Pick<JobDeps, 'db' | 'log'> & { bucket: string })[];
  metrics: (bucket: string) => JobMetrics;
}

/** Starts the loop. It ends the running job at its next safe point and leaves its run to others. */
export function startJobLoop(deps: AllDeps): Loop {
  return startLoop({
    what: 'daily jobs',
    log: deps.log,
    isExpected: isDatabaseAway,
    async step(signal) {
      await runAllDue(deps, signal);
      return untilNext(deps.buckets.home, deps.now);
    },
  });
}

// One bucket's failure does not delay the others.
async function runAllDue(deps: AllDeps, signal: AbortSignal): Promise<void> {
  let failure: unknown = null;
  for (const { bucket, ...place } of deps.places()) {
    signal.throwIfAborted();
    try {
      await runDue({ ...deps, ...place, metrics: deps.metrics(bucket) }, signal);
    } catch (error) {
      failure = error;
    }
  }
  if (failure) throw failure;
}

/** Runs everything that is due in a bucket and not done. One job's failure does not delay the others. */
export async function runDue(deps: LoopDeps, signal: AbortSignal): Promise<void> {
  const now = await readNow(deps.db, deps.now);
  const done = await readLastRunTimes(deps.db.pool, now);
  let failure: unknown = null;
  for (const name of JOB_NAMES) {
    signal.throwIfAborted();
    if (jobTime(name).buckets === 'first' && !isInFirst(deps)) continue;
    const last = done.get(name);
    deps.metrics.next(name, nextRunTime(name, now));
    if (!last) {
      await writeBaseline(deps.db.pool, name, latestRunTime(name, now));
      continue;
    }
    try {
      await runMissed(deps, name, runTimesDue(name, last, now), now, signal);
    } catch (error) {
      deps.metrics.failed(name);
      deps.log.error({ err: error, job: name }, 'a job failed; it is tried again');
      failure = error;
    }
  }
  if (failure) throw failure;
}

async function runMissed(
  deps: LoopDeps,
  name: JobName,
  runTimes: Date[],
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  for (const [i, runTime] of runTimes.entries()) {
    const late = i < runTimes.length - 1;
    // A job that makes up for a missed run sees the clock of that time; the current one sees the clock as it is.
    const startedAt = monotonicMs();
    const run = { now: late ? runTime : now, runTime, manual: false, late, signal };
    const result = await runAt(deps, name, run, deps.jobs);
    if (!result?.ran) return;
    const ms = monotonicMs() - startedAt;
    deps.metrics.ran(name, runTime, ms);
    deps.log.info({ job: name, run_time: runTime, ms: Math.round(ms), summary: result.summary }, 'a job ran');
  }
}

async function untilNext(db: Database, now: LoopDeps['now']): Promise<number> {
  const time = await readNow(db, now);
  const next = Math.min(...JOB_NAMES.map((name) => nextRunTime(name, time).getTime()));
  return Math.max(Math.min(next - time.getTime(), LONGEST_SLEEP_MS), SHORTEST_SLEEP_MS);
}

function readNow({ pool }: Database, now: LoopDeps['now']): Promise<Date> {
  return now ? now() : readDatabaseNow(pool);
}
