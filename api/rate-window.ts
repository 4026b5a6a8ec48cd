// The rolling window of rate-limit.lua once more, in this process. It remembers what this process allowed, so that
// a Redis that is unavailable, or lost its data, never lets one process pass a limit.

/** What a window says; the fields of rate-limit.lua. */
interface WindowVerdict {
  allowed: boolean;
  used: number;
  /** Seconds from now until n more fit (when refused) or the oldest count leaves (when allowed). */
  capacityInSeconds: number;
}

/** How many are allowed in a rolling window of so many seconds. */
export interface Limit {
  most: number;
  seconds: number;
}

/** The windows of many subjects in one process. */
export interface LocalWindows {
  /** Whether n more fit now. Counts nothing. A subject has one window, of so many seconds. */
  peek(subject: string, limit: Limit, n: number): WindowVerdict;
  count(subject: string, limit: Limit, n: number): void;
}

interface Bucket {
  second: number;
  count: number;
}

/** Makes the windows. `nowMs` is a clock that never jumps. The longest unused go when there are too many. */
export function createLocalWindows(options: { nowMs: () => number; maxSubjects: number }): LocalWindows {
  const windows = new Map<string, Bucket[]>();
  const seconds = () => Math.floor(options.nowMs() / 1000);

  function live(subject: string, window: number, now: number): Bucket[] {
    const buckets = windows.get(subject);
    if (!buckets) return [];
    while (buckets[0] && buckets[0].second < now - window) buckets.shift();
    if (buckets.length === 0) windows.delete(subject);
    return buckets;
  }

  return {
    peek(subject, limit, n) {
      const now = seconds();
      const buckets = live(subject, limit.seconds, now);
      const used = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
      const allowed = used + n <= limit.most;
      const freed = allowed
        ? (buckets[0]?.second ?? now)
        : capacityAfter(buckets, used + n - limit.most, now);
      return {
        allowed,
        used: allowed ? used + n : used,
        capacityInSeconds: freed + limit.seconds + 1 - now,
      };
    },
    count(subject, limit, n) {
      const now = seconds();
      const buckets = live(subject, limit.seconds, now);
      const last = buckets.at(-1);
      if (last?.second === now) last.count += n;
      else buckets.push({ second: now, count: n });
      windows.delete(subject); // so that it moves to the young end of the map
      windows.set(subject, buckets);
      if (windows.size > options.maxSubjects) windows.delete(windows.keys().next().value as string);
    },
  };
}

// The second after which the window has dropped by `over`.
function capacityAfter(buckets: Bucket[], over: number, now: number): number {
  let left = over;
  for (const bucket of buckets) {
    left -= bucket.count;
    if (left <= 0) return bucket.second;
  }
  return now;
}
