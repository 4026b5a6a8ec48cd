// The child's side of a pool whose processes run their jobs side by side (mode `together` of process-pool.ts).
// Guarantee: an exception of a job, wherever it is thrown, is that job's result and ends nothing; and before code of a job
// runs, the pool has its mark. So the pool knows which job hung, exhausted the memory or ended the process.

import { AsyncLocalStorage, createHook } from 'node:async_hooks';

import { writeMark } from './sandbox.ts';

const IDLE = 0;
// How often an idle process reports that it is idle, so that the pool blames no job for time that another used.
const HEARTBEAT_MS = 100;

const jobs = new AsyncLocalStorage<number>();
let marked: number | null = null; // before `serveJobs`: nobody reads marks

/**
 * Marks the job whose code runs. Called where several jobs wait for one promise, after it: promises are not watched, which
 * would cost a third of the CPU of reading mail.
 */
export function resumeJob(): void {
  const id = jobs.getStore() ?? IDLE;
  if (marked !== null && id !== marked) writeMark((marked = id));
}

/** Called once, when the process can work. `failed` makes the result of a job that threw. */
export function serveJobs<J, R>(run: (job: J) => Promise<R>, failed: (job: J, error: unknown) => R): void {
  const running = new Map<number, J>();
  const answer = (id: number, result: R) => {
    if (running.delete(id)) process.send?.([{ id, result }]);
  };
  const fail = (id: number, error: unknown) => {
    const job = running.get(id);
    if (job !== undefined) answer(id, failed(job, error));
  };
  createHook({ before: resumeJob, trackPromises: false }).enable();
  process.on('uncaughtException', (error) => {
    const id = jobs.getStore();
    if (id === undefined) throw error;
    fail(id, error);
  });
  process.on('message', (list: { id: number; job: J }[]) => {
    for (const { id, job } of list) {
      running.set(id, job);
      void jobs.run(id, async () => {
        resumeJob();
        try {
          answer(id, await run(job));
        } catch (error) {
          fail(id, error);
        }
      });
    }
  });
  setInterval(resumeJob, HEARTBEAT_MS).unref();
  writeMark((marked = IDLE));
}
