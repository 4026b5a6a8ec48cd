// When a message that met a temporary failure is tried again: soon at first, because most of them pass within minutes
// (greylisting, a full queue, a restart), then less and less often (RFC 5321 section 4.5.4.1 asks for 30 minutes or more
// after the first attempts). Jitter keeps a thousand messages that failed together from coming back together.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Gaps after the first, second, … attempt; the last one repeats until the age limit. */
export const RETRY_GAPS_MS = [
  45 * SECOND,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
] as const;

const JITTER = 1 / 3; // of the gap, to both sides: the first one is 30 to 60 s
const LAST_ATTEMPT_PART = 0.25; // of the gap: with at least so much time left, the last attempt is at the age limit itself

/** What a gap depends on. */
export interface RetryInput {
  /** Attempts made, this one included. */
  attempts: number;
  now: Date;
  /** Age limit of the message. */
  expiresAt: Date;
  /** Uniform in [0, 1). */
  random: () => number;
  /** Factor on every gap; 1 but in tests. */
  scale: number;
}

/** Milliseconds until the next attempt, or null when the message is too old for another one. */
export function nextRetryMs({ attempts, now, expiresAt, random, scale }: RetryInput): number | null {
  const gap = jittered(RETRY_GAPS_MS[Math.max(attempts, 1) - 1] ?? RETRY_GAPS_MS.at(-1)!, random) * scale;
  const left = expiresAt.getTime() - now.getTime();
  if (gap <= left) return Math.round(gap);
  return left >= gap * LAST_ATTEMPT_PART ? left : null;
}

/** A duration lengthened or shortened by up to a third. */
export function jittered(ms: number, random: () => number): number {
  return ms * (1 - JITTER + 2 * JITTER * random());
}
