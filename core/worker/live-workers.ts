// The live workers of one kind, as the heartbeats of one of them show it: who shares work out looks here.

/** Who lives. */
export interface LiveWorkers {
  /** Their ids in order, with one's own; the first 500. */
  ids(): readonly string[];
  /** Calls back after it became another list. */
  onChange(listener: () => void): void;
}

/** The same, with what a heartbeat found. */
interface HeardWorkers extends LiveWorkers {
  /**
   * The others that a heartbeat named. `all` says that nobody else can live: after a gap in which nobody's heartbeats came
   * through, those that were known before are kept until they had the time for one.
   */
  heard(others: readonly string[], all: boolean): void;
}

/** Most workers that are named, the oldest first: 8 KB of an answer. */
export const MOST_NAMED = 500;

/** Knows of nobody yet; `own` is the id of this worker now. */
export function createLiveWorkers(own: () => string): HeardWorkers {
  const listeners: (() => void)[] = [];
  let others: readonly string[] = [];
  let ids: readonly string[] = [];
  return {
    ids: () => ids,
    onChange: (listener) => void listeners.push(listener),
    heard(named, all) {
      others = all ? named : [...new Set([...others, ...named])];
      const now = [...others, own()].toSorted().slice(0, MOST_NAMED);
      const isSame = now.length === ids.length && now.every((id, at) => id === ids[at]);
      if (isSame) return;
      ids = now;
      for (const listener of listeners) listener();
    },
  };
}
