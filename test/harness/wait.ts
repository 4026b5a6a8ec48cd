// Tests wait on conditions, never for a time.

import { nextUtcMidnight, sleep } from '../../core/base/clock.ts';

const LIMIT_MS = 60_000; // for what takes a second: with a browser and template loops beside it, that was 15 seconds

/** For what the product promises within a second: ten times as long, because the machine may be busy. */
export const WITHIN_A_SECOND = { limitMs: 10_000 };

/** Between two reads with a key: it has 60 a minute, and a quick machine asks that often in two seconds. */
export const WITHIN_READS = { everyMs: 500 };

/** Waits until the condition holds. Throws after `limitMs` (only where time is what is promised), saying what was waited for. Errors of it end the wait. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  options: { limitMs?: number; everyMs?: number; what?: string | (() => string) } = {},
): Promise<void> {
  const limit = performance.now() + (options.limitMs ?? LIMIT_MS);
  while (!(await condition())) {
    if (performance.now() > limit) {
      const what =
        typeof options.what === 'function' ? options.what() : (options.what ?? condition.toString());
      throw new Error(`waited in vain for ${what}`);
    }
    await sleep(options.everyMs ?? 20);
  }
}

/** For what counts by UTC days and takes up to `neededMs`: when the day ends before that, waits for the next. */
export async function untilDayIsLongEnough(neededMs: number): Promise<void> {
  const now = new Date();
  const leftMs = nextUtcMidnight(now).getTime() - now.getTime();
  if (leftMs < neededMs) await sleep(leftMs + 1_000);
}
