// What the store's clock said at a time of the journal. The calendar of a run is moved; between two moves it runs on.

import type { CalendarSet } from '../facts/run.ts';

/** The store's clock over a run. */
export interface StoreClock {
  /** Milliseconds since the epoch by the store's clock, at a time of the journal. */
  at(t: number): number;
  /** The latest that it may have been: a reading that found it moved does not know since when, so its time may have been there. */
  latest(t: number): number;
  /** The UTC day, YYYY-MM-DD. */
  day(t: number): string;
  /** The one day that it surely was; null so near to midnight that it may have been either. */
  sureDay(t: number): string | null;
}

const EDGE_MS = 250; // the calendar is read over a connection, so it is known to a few milliseconds; much more under load

/** Makes the clock of a run out of the readings of its calendar, in order. */
export function createStoreClock(readings: (CalendarSet & { t: number })[]): StoreClock {
  const at = (t: number) => {
    const reading = readings[Math.max(0, lastAtOrBefore(readings, t))];
    return reading ? reading.storeMs + (t - reading.t) : 0;
  };
  const latest = (t: number) => {
    const next = readings[lastAtOrBefore(readings, t) + 1];
    return next && next.since <= t ? Math.max(at(t), next.storeMs) : at(t);
  };
  const day = (t: number) => utcDay(at(t));
  return {
    at,
    latest,
    day,
    sureDay: (t) => {
      const now = at(t);
      return utcDay(now - EDGE_MS) === utcDay(now + EDGE_MS) ? utcDay(now) : null;
    },
  };
}

/** The UTC day of a time, YYYY-MM-DD. */
function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function lastAtOrBefore(readings: { t: number }[], t: number): number {
  let low = 0;
  let high = readings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (readings[middle]!.t <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
