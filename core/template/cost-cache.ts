// A cache bounded by what its entries cost, not by how many they are: templates have 50 characters or half a million.
// The least recently used go first.

/** The cache. */
export interface CostCache<T> {
  /** The value, which is then the most recently used. */
  get(key: string): T | undefined;
  set(key: string, value: T, cost: number): void;
  /** Drops the least recently used until the costs fit, but none of `keep`. Returns the keys dropped. */
  trim(keep?: ReadonlySet<string>): string[];
  clear(): void;
}

/** Makes one. `set` does not drop anything; `trim` does. */
export function createCostCache<T>(budget: number): CostCache<T> {
  const entries = new Map<string, { value: T; cost: number }>();
  let total = 0;
  const drop = (key: string) => {
    total -= entries.get(key)?.cost ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, cost) {
      drop(key);
      entries.set(key, { value, cost });
      total += cost;
    },
    trim(keep = new Set()) {
      const dropped: string[] = [];
      for (const key of entries.keys()) {
        if (total <= budget) break;
        if (keep.has(key)) continue;
        dropped.push(key);
        drop(key);
      }
      return dropped;
    },
    clear() {
      entries.clear();
      total = 0;
    },
  };
}
