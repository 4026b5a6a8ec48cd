// A cache for look-ups that may be stale for a moment and no longer. Look-ups of one key at the same moment share
// one read. Age counts from the start of the read, so what was true when it began is never believed for longer.

import { monotonicMs } from './clock.ts';

/** Looks a key up, through the cache. `forget` makes the next look-up of a key read. */
export type Lookup<T> = ((key: string, read: () => Promise<T>) => Promise<T>) & { forget(key: string): void };

/** Makes one. The oldest entries go when there are too many. Failed reads are not kept. */
export function createLookupCache<T>(options: {
  maxAgeMs: number;
  maxEntries: number;
  now?: () => number;
}): Lookup<T> {
  const now = options.now ?? monotonicMs;
  const entries = new Map<string, { startedAt: number; value: Promise<T> }>();

  const lookup = (key: string, read: () => Promise<T>) => {
    const startedAt = now();
    const known = entries.get(key);
    if (known && startedAt - known.startedAt < options.maxAgeMs) return known.value;
    const entry = { startedAt, value: read() };
    entries.delete(key); // so that it moves to the young end of the map
    entries.set(key, entry);
    if (entries.size > options.maxEntries) entries.delete(entries.keys().next().value as string);
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.value;
  };
  return Object.assign(lookup, { forget: (key: string) => void entries.delete(key) });
}
