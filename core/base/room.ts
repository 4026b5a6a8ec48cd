// Room for so many things under way in a process, which several loops share: there are no more of them however many loops.

/** The room. */
export interface Room {
  /** Takes room for so many, or for as many as there is. When that is for none, `wake` is called once there is some again. */
  take(most: number, wake: () => void): number;
  /** Gives it back. */
  give(count: number): void;
  /** How many have room now. */
  used(): number;
}

/** Makes room for so many. */
export function createRoom(size: number): Room {
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
