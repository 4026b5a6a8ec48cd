// A pool of processes that can be killed, for work on untrusted input (core/base/sandbox.ts says why processes).
//
//   a job goes to the least busy process; one is started when all are busy and there may be more of them
//   a job over its time, or one that makes its process die, costs the process its life; a fresh one takes about 150 ms
//   the other jobs of that process end as `killed` too, without blame: the caller decides whether to ask again
//   one that has had its lifetime finishes what it has while a fresh one gets what comes: at most twice as many are alive
//   a process that cannot start harms no job: they wait, and the next one is tried a second later
//
// The child gets whatever `pack` makes of `{ id, job }`s and answers with lists of `{ id, result }`. It calls
// `endWithParent` first, and `writeMark(0)` or `serveJobs` when it can work.

import type { Logger } from './log.ts';
import { startPoolProcess, type Death, type PoolProcess, type PoolProcessOptions } from './pool-process.ts';

/** How a job ended. */
export type JobEnd<R> =
  | { kind: 'done'; result: R }
  /** Its process died. `blamed`: this job was what the process was at, or the only one in it. */
  | { kind: 'killed'; why: Exclude<Death, 'not_started'>; blamed: boolean }
  /** Taken out of the queue by the owner of the queue. */
  | { kind: 'returned' }
  | { kind: 'refused'; why: 'full' | 'closed' };

/** A job that waits for a process. */
export interface WaitingJob<J, R> {
  job: J;
  end(end: JobEnd<R>): void;
}

/** The order in which jobs get their turn. */
export interface JobQueue<T> {
  readonly size: number;
  push(item: T): void;
  shift(): T | undefined;
}

/** What the processes are, how many, and how much may wait for them. */
export interface ProcessPoolOptions<J, R> extends PoolProcessOptions<J> {
  processes: number;
  /** Most jobs that wait; one more is refused as `full`. */
  maxWaiting: number;
  /** First come first served without it. */
  queue?: JobQueue<WaitingJob<J, R>>;
}

/** The pool. */
export interface ProcessPool<J, R> {
  /** Runs a job; never rejects. The caller gets the result before the process gets its next job. */
  run(job: J): Promise<JobEnd<R>>;
  /** Kills the processes. What is running or waiting is refused as `closed`. */
  close(): Promise<void>;
}

const START_AGAIN_MS = 1_000;
const CLOSED = { kind: 'refused', why: 'closed' } as const;

/** Makes a pool. Processes start when they are needed. */
export function createProcessPool<J, R>(options: ProcessPoolOptions<J, R>, log: Logger): ProcessPool<J, R> {
  const queue = options.queue ?? createFifo<WaitingJob<J, R>>();
  const processes = new Set<PoolProcess<WaitingJob<J, R>>>();
  let closed = false;
  let scheduled = false;
  let mayStart = true;

  const fillSoon = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      fill();
    });
  };
  const start = (): PoolProcess<WaitingJob<J, R>> => {
    const fresh = startPoolProcess<WaitingJob<J, R>, R>(options, {
      done(waiting, result) {
        waiting.end({ kind: 'done', result });
        fillSoon();
      },
      died(jobs, why, blamed, reason) {
        processes.delete(fresh);
        if (closed) return jobs.forEach((one) => one.end(CLOSED));
        if (why === 'not_started') return retryStart(jobs, reason);
        log.warn({ what: options.what, reason, jobs: jobs.length }, 'a process was replaced');
        for (const one of jobs) one.end({ kind: 'killed', why, blamed: one === blamed });
        fillSoon();
      },
      retired() {
        processes.delete(fresh);
        fillSoon();
      },
    });
    processes.add(fresh);
    return fresh;
  };
  const retryStart = (jobs: WaitingJob<J, R>[], reason: string) => {
    log.error({ what: options.what, reason }, 'a process could not be started; it is tried again');
    for (const one of jobs) queue.push(one);
    mayStart = false;
    setTimeout(() => {
      mayStart = true;
      fill();
    }, START_AGAIN_MS);
  };
  const leastBusy = (): PoolProcess<WaitingJob<J, R>> | null => {
    let best: PoolProcess<WaitingJob<J, R>> | null = null;
    for (const one of processes) if (one.capacity > (best?.capacity ?? 0)) best = one;
    const isFull = unworn().length >= options.processes || processes.size >= 2 * options.processes;
    if (best?.capacity === options.perProcess || isFull || !mayStart) return best;
    return start();
  };
  const unworn = () => [...processes].filter((one) => !one.worn);
  const fill = () => {
    while (!closed && queue.size > 0) {
      const process = leastBusy();
      if (!process) return;
      process.send(take(Math.min(process.capacity, shareOf(queue.size))));
    }
  };
  // Idle processes divide what there is.
  const shareOf = (waiting: number): number => {
    let idle = options.processes;
    for (const one of unworn()) if (one.capacity < options.perProcess) idle--;
    return Math.ceil(waiting / Math.max(idle, 1));
  };
  const take = (most: number): WaitingJob<J, R>[] => {
    const jobs: WaitingJob<J, R>[] = [];
    for (let one = queue.shift(); one; one = jobs.length < most ? queue.shift() : undefined) jobs.push(one);
    return jobs;
  };
  return {
    run: (job) =>
      new Promise((end) => {
        if (closed) return end(CLOSED);
        if (queue.size >= options.maxWaiting) return end({ kind: 'refused', why: 'full' });
        queue.push({ job, end });
        fill();
      }),
    async close() {
      closed = true;
      for (const one of take(queue.size)) one.end(CLOSED);
      await Promise.all([...processes].map((one) => one.kill()));
    },
  };
}

function createFifo<T>(): JobQueue<T> {
  let items: T[] = [];
  let next = 0; // shifting a long array moves all of it
  return {
    get size() {
      return items.length - next;
    },
    push: (item) => void items.push(item),
    shift() {
      const item = items[next++];
      if (next >= items.length) {
        items = [];
        next = 0;
      }
      return item;
    },
  };
}
