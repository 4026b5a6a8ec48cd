// How fast a destination accepts mail while mail waits for it. Time in which nothing waits does not count: then the number
// of messages that ended only shows how many came, and the next burst would be put back as if the peer were slow.

/** The meter of one destination. Times are milliseconds of the monotonic clock. */
export interface DrainRate {
  /** Sets whether messages wait; called whenever that may have changed. */
  waits(waiting: boolean, now: number): void;
  /** Tells that a message ended. */
  ended(now: number): void;
  /** Messages per second while others waited, lately; null as long as nobody knows. */
  perSecond(now: number): number | null;
}

const WINDOW_MS = 1_000; // one measure; half of it counts with all that was known before
const LEAST_MS = 200; // shorter than this says nothing: a connection has yet to be made

/** Makes a meter that knows nothing yet. */
export function createDrainRate(): DrainRate {
  let known: number | null = null;
  let count = 0;
  let measuredMs = 0;
  let since: number | null = null;

  const settle = (now: number) => {
    if (since !== null) {
      measuredMs += now - since;
      since = now;
    }
    if (measuredMs < WINDOW_MS) return;
    const measured = (count / measuredMs) * 1_000;
    known = known === null ? measured : (known + measured) / 2;
    count = 0;
    measuredMs = 0;
  };
  return {
    waits(waiting, now) {
      if (waiting === (since !== null)) return;
      settle(now);
      since = waiting ? now : null;
    },
    ended(now) {
      if (since === null) return;
      count += 1;
      settle(now);
    },
    perSecond(now) {
      settle(now);
      const lately = measuredMs < LEAST_MS ? null : (count / measuredMs) * 1_000;
      if (known === null || lately === null) return known ?? lately;
      return Math.max(known, lately);
    },
  };
}
