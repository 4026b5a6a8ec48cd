// Runs every job at its slots: looks at the database's clock, runs what has come and is not done, sleeps until the
// next slot. A slot that fails is tried again after a pause; jobs run one after the other, so that the order of the
// day (release, reset, ramp) holds after a downtime too.

import { monotonicMs, sleep } from '../core/base/clock.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { JOB_NAMES, type JobName } from '../core/job/job-names.ts';
import { readDatabaseNow, readLastSlots, writeBaseline } from '../core/job/job-store.ts';
import { latestSlot, nextSlot, slotsToRun } from '../core/job/slots.ts';
import type { JobDeps, JobTable } from './job.ts';
import type { JobMetrics } from './job-metrics.ts';
import { runSlot } from './run-job.ts';

/** A running loop. */
export interface JobLoop {
  /** Ends the job in hand at its next safe point, leaves its slot to others, and resolves. */
  stop(): Promise<void>;
}

/** What the loop needs. `now` is the database's clock; a simulation gives its own. */
export interface LoopDeps extends JobDeps {
  jobs: JobTable;
  metrics: JobMetrics;
  now?: () => Promise<Date>;
}

const LONGEST_SLEEP_MS = 30_000; // the clock of the database may be set while we sleep
const SHORTEST_SLEEP_MS = 50;
const FAILED_PAUSE_MS = 5_000;

/** Starts the loop. */
export function startJobLoop(deps: LoopDeps): JobLoop {
  const stop = new AbortController();
  const running = run(deps, stop.signal);
  return {
    stop: () => {
      stop.abort();
      return running;
    },
  };
}

async function run(deps: LoopDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await runDue(deps, signal);
      await sleep(await untilNext(deps), signal);
    } catch (error) {
      if (signal.aborted) return;
      deps.log[isDatabaseAway(error) ? 'warn' : 'error'](
        { err: error },
        'the scheduler failed; trying again',
      );
      await sleep(FAILED_PAUSE_MS, signal);
    }
  }
}

/** One look: runs every slot that has come and is not done. One job's failure does not keep the others back. */
export async function runDue(deps: LoopDeps, signal: AbortSignal): Promise<void> {
  const now = await readNow(deps);
  const done = await readLastSlots(deps.db.pool, now);
  let failure: unknown = null;
  for (const name of JOB_NAMES) {
    signal.throwIfAborted();
    const last = done.get(name);
    deps.metrics.next(name, nextSlot(name, now));
    if (!last) {
      await writeBaseline(deps.db.pool, name, latestSlot(name, now));
      continue;
    }
    try {
      await runMissed(deps, name, slotsToRun(name, last, now), now, signal);
    } catch (error) {
      deps.metrics.failed(name);
      deps.log.error({ err: error, job: name }, 'a job failed; its slot stays open');
      failure = error;
    }
  }
  if (failure) throw failure;
}

async function runMissed(
  deps: LoopDeps,
  name: JobName,
  slots: Date[],
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  for (const [i, slot] of slots.entries()) {
    const late = i < slots.length - 1;
    // A job that makes up for an old slot sees the clock of that slot; the current one sees the clock as it is.
    const startedAt = monotonicMs();
    const run = { now: late ? slot : now, slot, manual: false, late, signal };
    const result = await runSlot(deps, name, run, deps.jobs);
    if (!result?.ran) return;
    const ms = monotonicMs() - startedAt;
    deps.metrics.ran(name, slot, ms);
    deps.log.info({ job: name, slot, ms: Math.round(ms), summary: result.summary }, 'a job ran');
  }
}

async function untilNext(deps: LoopDeps): Promise<number> {
  const now = await readNow(deps);
  const next = Math.min(...JOB_NAMES.map((name) => nextSlot(name, now).getTime()));
  return Math.max(Math.min(next - now.getTime(), LONGEST_SLEEP_MS), SHORTEST_SLEEP_MS);
}

function readNow(deps: LoopDeps): Promise<Date> {
  return deps.now ? deps.now() : readDatabaseNow(deps.db.pool);
}
