// How many things may be under way in a process at a time, whichever of its loops began them.

/** So many at a time, for all who share it. */
export interface SharedCapacity {
  /** Takes so many, or as many as are free. When that is none, `wake` is called once some are free again. */
  take(most: number, wake: () => void): number;
  /** Gives so many back. */
  give(count: number): void;
  /** How many are taken now. */
  used(): number;
}

/** For `size` at a time. */
export function createSharedCapacity(size: number): SharedCapacity {
  const waiting = new Set<() => void>();
  let used = 0;
  return {
    take: (most, wake) => {
      const taken = Math.max(0, Math.min(most, size - used));
      used += taken;
      if (taken === 0) waiting.add(wake);
      return taken;
    },
    give: (count) => {
      used -= count;
      if (count === 0) return;
      const all = [...waiting];
      waiting.clear();
      for (const wake of all) wake();
    },
    used: () => used,
  };
}
