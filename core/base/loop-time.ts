// Charges the time of the event loop to the work that used it. Work marks where it begins, waits and continues; the time between
// these marks is charged to it, without the time in which the loop was idle. Time between two marks of different work counts for
// the one that waits next: an error of microseconds, where a request works for milliseconds. A mark costs 0.1 µs.

import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';

/** Is given milliseconds of the event loop. */
export type Charge = (ms: number) => void;

const current = new AsyncLocalStorage<Charge>();
let since = 0;

/** Milliseconds that the event loop of this thread has worked. */
export function workedMs(): number {
  return performance.eventLoopUtilization().active;
}

/** Does work, and charges the time that it takes, all that it begins included. */
export async function chargeFor<T>(charge: Charge, work: () => T | Promise<T>): Promise<T> {
  resume();
  try {
    const result = current.run(charge, work);
    stop(charge);
    return await result;
  } finally {
    stop(charge);
  }
}

/** The same result. The work that waits for it is charged until now, and again from when it is there. */
export function whileWaiting<T>(result: T): T {
  const charge = current.getStore();
  if (charge === undefined) return result;
  stop(charge);
  if (result instanceof Promise) result.then(resume, resume);
  return result;
}

/** The same function, for a caller whose work goes on with it. */
export function goingOn<A extends unknown[]>(done: (...args: A) => unknown): (...args: A) => unknown {
  if (current.getStore() === undefined) return done;
  return (...args) => {
    resume();
    return done(...args);
  };
}

function stop(charge: Charge): void {
  const now = workedMs();
  charge(now - since);
  since = now;
}

function resume(): void {
  since = workedMs();
}
