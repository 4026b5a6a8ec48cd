// For whom the event loop works. Work says where it begins, waits and goes on; the time in between, without what the loop was
// idle, is charged to it. A stretch that nobody marked counts for whoever is next to wait: exact where it matters, which is
// where a request works for milliseconds between two waits. A mark costs 0.1 µs.

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
