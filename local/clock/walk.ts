// Moves a calendar through the days: every midnight and every 02:00 passes by itself, with whatever is under way, and the hours
// between are left out. A day takes 39 s, so that 20 minutes have 30 days.

import { sleep } from '../../core/base/clock.ts';
import type { LogLine } from '../servers/install.ts';
import type { Calendar } from './calendar.ts';

/** What walks where. */
export interface Walk {
  calendar: Calendar;
  /** Where it ends; without it it goes on until the signal. */
  to?: Date;
  log: LogLine;
  signal: AbortSignal;
}

const DAY_MS = 86_400_000;
const JOBS_MS = 2 * 3_600_000; // 02:00, of the day
const BEFORE_JOBS_MS = 6_000; // a scheduler looks at the clock every 5 s
const BEFORE_MIDNIGHT_MS = 26_000; // the calendar allows 25
const AFTER_MS = 3_000; // of a midnight and of 02:00, before the next jump
const POLL_MS = 250;

/** Walks. A store that is away for some time is waited for. */
export async function walk({ calendar, to, log, signal }: Walk): Promise<void> {
  let trouble = '';
  while (!signal.aborted) {
    try {
      const now = await calendar.now();
      if (to !== undefined && now >= to) return;
      const target = nextJump(now, to);
      if (target !== null) await calendar.jumpTo(target);
      if (target !== null) log(`the calendar is at ${target.toISOString()}`);
      trouble = '';
    } catch (error) {
      if (trouble === '') log(`the calendar waits: ${String(error)}`); // PostgreSQL is away
      trouble = String(error);
    }
    await sleep(POLL_MS, signal);
  }
}

/** Where to jump from a time, on the way to another; null while a midnight, 02:00 or the end of the way is to pass by itself. */
export function nextJump(now: Date, to?: Date): Date | null {
  const ofDay = now.getTime() % DAY_MS;
  const day = now.getTime() - ofDay;
  const stop = day + (ofDay < JOBS_MS ? JOBS_MS - BEFORE_JOBS_MS : DAY_MS - BEFORE_MIDNIGHT_MS);
  const target = Math.min(stop, to?.getTime() ?? stop);
  const rests = ofDay < AFTER_MS || (ofDay >= JOBS_MS && ofDay < JOBS_MS + AFTER_MS);
  return rests || now.getTime() >= target ? null : new Date(target);
}
