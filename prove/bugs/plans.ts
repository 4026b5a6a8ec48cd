// What provokes each planted bug: a short run, made for it. Times are seconds of the load. It begins at 12:00 of the
// calendar: midnight passes at 26 s, and then each 38 s.

import type { FaultKind, PlannedFault } from '../faults/fault-kinds.ts';
import type { Kind } from '../sink/verdicts.ts';

/** A short run. */
export interface BugPlan {
  seconds: number;
  perSecond: number;
  /** Shares of recipients beside the usual ones, in thousandths. */
  more?: Partial<Record<Kind, number>>;
  /** Part of the requests with a key that several clients make at a time. */
  copies?: number;
  /** How often somebody begins to get mail, is suppressed, and is sent more. */
  victimsEveryMs?: number;
  /** How often somebody asks for a new password. */
  resetsEveryMs?: number;
  faults: PlannedFault[];
}

const RATE = { perSecond: 16 };

/** The run for each bug, by the name of its patch. */
export const PLANS: Record<string, BugPlan> = {
  '01-cap-plus-one': { seconds: 60, ...RATE, faults: [] },
  // Retries are due after the calendar has jumped, or their wake-ups are erased when no new mail comes to wake a sender any
  // more: only a poll finds them.
  '02-lost-wake-up': {
    seconds: 55,
    ...RATE,
    more: { busy: 100 },
    faults: faults([20, 'nats-erase', 'nats', 0], [52, 'nats-erase', 'nats', 0]),
  },
  // Mail that is between DATA and verdict at midnight.
  '03-double-release': { seconds: 75, ...RATE, more: { slow: 200 }, faults: [] },
  // Longer than the lease of 20 s and the sweep after it, within one day (at its end the mail is withheld anyway);
  // receivers that are about to say "go ahead".
  '04-stale-lease': {
    seconds: 75,
    ...RATE,
    more: { pause: 1_000 },
    faults: faults([29, 'freeze', 'sender-1', 34]),
  },
  '05-key-after-commit': {
    seconds: 60,
    ...RATE,
    copies: 0.5,
    faults: faults([15, 'kill', 'sender', 0], [30, 'kill', 'sender', 0], [45, 'kill', 'sender', 0]),
  },
  // Retries of recipients who were suppressed after the first attempt.
  '06-suppression-not-asked': { seconds: 75, ...RATE, victimsEveryMs: 2_000, faults: [] },
  // Receivers that refuse for a day, and a cap that is full on the next one.
  '07-no-refund-at-midnight': { seconds: 110, ...RATE, more: { full: 150 }, faults: [] },
  '08-new-message-id': { seconds: 60, ...RATE, more: { busy: 100 }, faults: [] },
  '09-verdict-assumed': { seconds: 40, ...RATE, more: { cut: 100 }, faults: [] },
  // Recipients are looked up, and nothing can be stored.
  '10-inbound-250-before-commit': {
    seconds: 45,
    ...RATE,
    faults: faults([8, 'postgres-read-only', 'postgres', 10], [25, 'postgres-read-only', 'postgres', 10]),
  },
  '11-event-dropped': {
    seconds: 45,
    ...RATE,
    faults: faults([10, 'freeze-role', 'inbound', 6], [25, 'freeze-role', 'inbound', 6]),
  },
  '12-redis-believed': {
    seconds: 75,
    ...RATE,
    faults: faults([18, 'redis-flush', 'redis', 0], [50, 'redis-flush', 'redis', 0]),
  },
  // Several messages in one request, whose receivers ask to come again.
  '13-content-of-another': { seconds: 60, ...RATE, more: { busy: 300 }, faults: [] },
  '14-retry-at-any-time': { seconds: 60, ...RATE, more: { busy: 200, grey: 200 }, faults: [] },
  '15-retry-after-in-milliseconds': { seconds: 60, ...RATE, faults: [] },
  '16-inbound-bytes-of-another': { seconds: 45, ...RATE, faults: [] },
  // A domain whose raised cap lets mail go shortly before midnight, to receivers that are late with their answer.
  '17-yesterdays-admission': { seconds: 110, ...RATE, faults: [] },
  '18-first-midnight': { seconds: 110, ...RATE, faults: [] },
  '19-room-for-new-mail': { seconds: 80, ...RATE, faults: [] },
  // The domain is paused at 02:00, which passes at 35 s, and resumed at 48 s; after a reset two minutes must be left.
  '20-paused-for-all': { seconds: 135, ...RATE, resetsEveryMs: 7_000, faults: [] },
  '21-suppressed-as-written': { seconds: 75, ...RATE, victimsEveryMs: 1_000, faults: [] },
};

/** What ships, with a fault of each kind that the bugs are provoked with: nothing may be found. */
export const CONTROL: BugPlan = {
  seconds: 150,
  ...RATE,
  more: { pause: 60, slow: 60, busy: 60, full: 40, cut: 20 },
  copies: 0.3,
  faults: faults(
    [8, 'kill', 'sender', 0],
    [16, 'redis-flush', 'redis', 0],
    [20, 'nats-erase', 'nats', 0],
    [24, 'postgres-read-only', 'postgres', 6],
    [40, 'kill', 'inbound', 0],
    [50, 'freeze-role', 'inbound', 6],
    [68, 'freeze', 'sender-1', 31],
    [108, 'postgres-read-only', 'postgres', 10],
    [124, 'freeze', 'sender-2', 22],
  ),
};

function faults(...all: [at: number, kind: FaultKind, target: string, lasts: number][]): PlannedFault[] {
  return all.map(([at, kind, target, lasts], i) => ({
    id: `f${i + 1}`,
    kind,
    target,
    at: at * 1_000,
    lasts: lasts * 1_000,
    round: 1, // at their times, whether or not the service is ready for them
  }));
}
