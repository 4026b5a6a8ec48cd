// When a webhook attempt is repeated. The gaps are counted from the end of an attempt.

/** Attempts of one delivery in all. */
const MAX_ATTEMPTS = 7;

/** Milliseconds after which a delivery is given up, however often it was deferred. */
export const MAX_AGE_MS = 7 * 24 * 3_600_000;

/** Longest wait that a receiver may ask for with Retry-After, and longest gap. */
const MAX_WAIT_MS = 24 * 3_600_000;

// After attempt 1, 2, … 6: 30 s, 2 min, 10 min, 1 h, 6 h, 24 h.
const GAPS_MS: readonly number[] = [30_000, 120_000, 600_000, 3_600_000, 21_600_000, MAX_WAIT_MS];
const JITTER = 0.1; // so that the failures of one outage do not all come back in the same second
const MIN_RETRY_AFTER_MS = 1_000; // "Retry-After: 0" from an endpoint that always says so must not spin

/** What an endpoint said, or that it said nothing. */
export type Attempted =
  | { kind: 'answered'; status: number; retryAfter: string | null; detail: string }
  /** No answer in time: DNS, connection, TLS, silence. */
  | { kind: 'failed'; detail: string }
  /** Our process ended during the attempt: nothing is known of the endpoint. */
  | { kind: 'cut_off'; detail: string }
  /** An address that we do not connect to. */
  | { kind: 'blocked'; detail: string };

/** What becomes of the delivery. `counts` is false when the attempt is to be made again under its number. */
export type Verdict =
  | { kind: 'accepted' }
  | { kind: 'dead'; detail: string }
  | { kind: 'again'; inMs: number; counts: boolean; detail: string };

/** Decides after attempt number `attempt`. `scale` shortens the gaps in tests. Pure. */
export function judgeAttempt(
  attempted: Attempted,
  attempt: number,
  more: { now: Date; random: number; scale: number },
): Verdict {
  if (attempted.kind === 'blocked') return { kind: 'dead', detail: attempted.detail };
  if (attempted.kind === 'failed') return again(attempt, attempted.detail, more);
  // The endpoint may be well, so that its longer gaps are for its own failures only.
  if (attempted.kind === 'cut_off') return again(attempt, attempted.detail, more, 1);
  const { status, detail } = attempted;
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  if (status === 429) {
    const wait = retryAfterMs(attempted.retryAfter, more.now);
    return wait === null
      ? again(attempt, detail, more)
      : { kind: 'again', inMs: wait, counts: false, detail };
  }
  if (status >= 400 && status < 500) return { kind: 'dead', detail };
  return again(attempt, detail, more); // 5xx, and 3xx, which is never followed
}

function again(
  attempt: number,
  detail: string,
  more: { random: number; scale: number },
  gap = attempt,
): Verdict {
  if (attempt >= MAX_ATTEMPTS) return { kind: 'dead', detail };
  return { kind: 'again', inMs: gapAfter(gap, more.random, more.scale), counts: true, detail };
}

/** The gap after attempt number `attempt`; `random` is 0 to 1. */
export function gapAfter(attempt: number, random: number, scale: number): number {
  const gap = GAPS_MS[attempt - 1] ?? MAX_WAIT_MS;
  return Math.min(gap * (1 + JITTER * random), MAX_WAIT_MS) * scale;
}

/** The wait that Retry-After asks for (RFC 9110 section 10.2.3: seconds or a date), or null when it asks for none. */
export function retryAfterMs(value: string | null, now: Date): number | null {
  if (value === null) return null;
  const text = value.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  if (Number.isNaN(ms)) return null;
  return Math.min(Math.max(ms, MIN_RETRY_AFTER_MS), MAX_WAIT_MS);
}
