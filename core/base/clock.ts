// The only place that reads this machine's clock. Decisions that count (days, leases, due times) use the
// clock of PostgreSQL or Redis; this one serves durations, logs and cache ages.

/** Milliseconds since the epoch by this machine's clock. */
export function nowMs(): number {
  return Date.now();
}

/** This machine's time as a Date. */
export function nowDate(): Date {
  return new Date();
}

/** Milliseconds of a clock that never jumps; for durations. */
export function monotonicMs(): number {
  return performance.now();
}

/** The UTC date `YYYY-MM-DD` of a time. */
export function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** The next 00:00 UTC strictly after a time: when deferred mail is released. */
export function nextUtcMidnight(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() + 1));
}

/** Waits; resolves early when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
