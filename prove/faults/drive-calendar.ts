// Moves the calendar through the days: every midnight and every 02:00 passes by itself, under load and with whatever
// faults are there, and the hours between are left out. A day takes 39 s, so that 20 minutes have 30 days.

import { sleep } from '../../core/base/clock.ts';
import type { LogLine } from '../../local/servers/install.ts';
import type { Stack } from '../stack/stack.ts';

const DAY_MS = 86_400_000;
const JOBS_MS = 2 * 3_600_000; // 02:00, of the day
const BEFORE_JOBS_MS = 6_000; // a scheduler looks at the clock every 5 s
const BEFORE_MIDNIGHT_MS = 26_000; // the calendar allows 25
const AFTER_MS = 3_000; // of a midnight and of 02:00, before the next jump
const POLL_MS = 250;

/** Moves it until the signal. Where clocks cannot be moved it stays, and the run has the real day only. */
export async function driveCalendar(what: {
  stack: Stack;
  log: LogLine;
  signal: AbortSignal;
}): Promise<void> {
  const { signal, log } = what;
  const { calendar } = what.stack;
  if (calendar === null) return;
  let trouble = '';
  while (!signal.aborted) {
    try {
      const now = await calendar.now();
      const target = nextJump(now);
      if (target !== null) await calendar.jumpTo(target);
      if (target !== null) log(`the calendar is at ${target.toISOString()}`);
      trouble = '';
    } catch (error) {
      if (trouble === '') log(`the calendar waits: ${String(error)}`); // PostgreSQL is away: a fault of the plan
      trouble = String(error);
    }
    await sleep(POLL_MS, signal);
  }
}

/** Where to jump from a time; null while a midnight or 02:00 is to pass by itself. */
export function nextJump(now: Date): Date | null {
  const ofDay = now.getTime() % DAY_MS;
  const day = now.getTime() - ofDay;
  const target = ofDay < JOBS_MS ? JOBS_MS - BEFORE_JOBS_MS : DAY_MS - BEFORE_MIDNIGHT_MS;
  const rests = ofDay < AFTER_MS || (ofDay >= JOBS_MS && ofDay < JOBS_MS + AFTER_MS);
  return rests || ofDay >= target ? null : new Date(day + target);
}
