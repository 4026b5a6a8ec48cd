// When a message is to be sent: the time that a caller may name, for a send and for moving it.

import { z } from 'zod';

import type { FieldProblem } from '../base/errors.ts';
import { instant } from '../base/time-input.ts';

/** Days; the contract's number. Messages are kept in weekly partitions made ahead. */
export const MAX_SCHEDULE_DAYS = 30;

const DAY_MS = 86_400_000;
const SCHEDULE_TOLERANCE_MS = 60_000; // clocks of clients differ; nobody means the last minute of 30 days
const PAST_TOLERANCE_MS = 60_000;

/** The body of a change of a message: its time. */
export const messageChange = z.strictObject({ scheduled_at: instant }).meta({
  id: 'MessageChange',
  description: 'What can be changed of a message that is scheduled',
});

/**
 * What is wrong with a time that has passed, or null: a typo in the year must not send at once. Clocks of clients differ, and a
 * request may wait for a minute. Not for a request that is repeated: its time may have passed meanwhile.
 */
export function pastProblem(at: Date, now: Date): FieldProblem | null {
  if (at.getTime() >= now.getTime() - PAST_TOLERANCE_MS) return null;
  return { path: 'scheduled_at', message: 'is in the past: leave it out to send now' };
}

/** What is wrong with a time that is too far ahead, or null. */
export function scheduleProblem(at: Date, now: Date): FieldProblem | null {
  const latest = now.getTime() + MAX_SCHEDULE_DAYS * DAY_MS + SCHEDULE_TOLERANCE_MS;
  if (at.getTime() <= latest) return null;
  return { path: 'scheduled_at', message: `must be at most ${MAX_SCHEDULE_DAYS} days ahead` };
}
