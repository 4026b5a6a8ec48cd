// Batches without a timer: what is pushed while a batch is in flight forms the next. An idle process waits for nothing
// (but for what the same turn of the event loop brings), a busy one pays one commit or query for many items.
//
// When a batch fails, there is one answer:
//
//   the store's failure   says nothing about any item. `whenDown: 'fail'`: all of the batch fail. `'keep'`: the
//                         batch is tried again, ever more seldom, until the store is back.
//   any other             may be the fault of one item, so the batch is split in halves, each tried alone. Only an item
//                         that fails by itself is blamed. After MAX_SPLITS it was not an item: see the store's failure.
//
// So `run` is called again with items that an earlier call may have stored: it must find them done.

import { sleep } from './clock.ts';

/** How batches are made and done. */
export interface BatcherOptions<T> {
  /** Does a batch and answers its items. One batch at a time, or `atOnce` of them. */
  run(batch: T[]): Promise<void>;
  /** An item failed: `blamed` for itself, otherwise with all others because of the store. */
  failed(item: T, error: unknown, blamed: boolean): void;
  isStoreDown(error: unknown): boolean;
  whenDown: 'fail' | 'keep';
  /** Longest pause of `keep`. */
  longestPauseMs?: number;
  /** Called for every try that failed; for the log. */
  onTrouble?(error: unknown, items: number, storeDown: boolean): void;
  /** Most items of a batch, and most bytes; one item is always accepted, however large. */
  maxItems: number;
  maxBytes?: number;
  /** Most items that wait, and most bytes: `push` refuses one more. */
  maxWaiting: number;
  maxWaitingBytes?: number;
  /** Counts what waits or is in flight, for all batchers that are given the same one: the limits hold for them together. */
  load?: BatcherLoad;
  atOnce?: number;
  /** What one counts as, when it is more than one item; always the same for one. */
  countOf?(item: T): number;
  bytesOf?(item: T): number;
}

/** What waits or is in flight of some batchers together. */
export interface BatcherLoad {
  items: number;
  bytes: number;
}

/** The batcher. */
export interface Batcher<T> {
  /** Whether it was accepted; false when too much is waiting. */
  push(item: T): boolean;
  /** Items that wait or are in flight. */
  pending(): number;
  /** Resolves when none is. */
  drained(): Promise<void>;
}

const MAX_SPLITS = 40; // failed tries in one batch: four culprits among 500
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

/** Makes a batcher. */
export function createBatcher<T>(options: BatcherOptions<T>): Batcher<T> {
  const { maxItems, maxBytes = Infinity, maxWaiting, maxWaitingBytes = Infinity, atOnce = 1 } = options;
  const countOf = options.countOf ?? (() => 1);
  const bytesOf = options.bytesOf ?? (() => 0);
  const load = options.load ?? { items: 0, bytes: 0 };
  let waiting: T[] = [];
  let count = 0; // of what waits or is in flight
  let running = 0;
  let scheduled = false;
  const idle: (() => void)[] = [];

  const start = () => {
    scheduled = false;
    while (running < atOnce && waiting.length > 0) {
      running++;
      void runAll();
    }
  };
  const runAll = async () => {
    while (waiting.length > 0) {
      const batch = next();
      await settle(batch);
      for (const item of batch) {
        count -= countOf(item);
        load.items -= countOf(item);
        load.bytes -= bytesOf(item);
      }
    }
    running--;
    if (running === 0) for (const resolve of idle.splice(0)) resolve();
  };
  const next = (): T[] => {
    let taken = 0;
    let items = 0;
    let size = 0;
    for (const item of waiting) {
      items += countOf(item);
      size += bytesOf(item);
      if (taken > 0 && (items > maxItems || size > maxBytes)) break;
      taken++;
    }
    const batch = waiting.slice(0, taken);
    waiting = waiting.slice(taken);
    return batch;
  };
  const settle = async (batch: T[]) => {
    const parts = [batch];
    let splits = 0;
    let pauseMs = FIRST_PAUSE_MS;
    for (let part = parts.shift(); part; part = parts.shift()) {
      try {
        await options.run(part);
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        const down = options.isStoreDown(error) || (part.length > 1 && splits++ >= MAX_SPLITS);
        options.onTrouble?.(error, part.length, down);
        if (down && options.whenDown === 'fail') {
          for (const item of part) options.failed(item, error, false);
        } else if (down) {
          await sleep(pauseMs);
          pauseMs = Math.min(pauseMs * 2, options.longestPauseMs ?? LONGEST_PAUSE_MS);
          splits = 0;
          parts.unshift(part);
        } else if (part.length === 1) options.failed(part[0]!, error, true);
        else parts.unshift(...halvesOf(part));
      }
    }
  };
  return {
    push(item) {
      const [items, size] = [countOf(item), bytesOf(item)];
      if (load.items + items > maxWaiting || load.bytes + size > maxWaitingBytes) return false;
      count += items;
      load.items += items;
      load.bytes += size;
      waiting.push(item);
      if (running < atOnce && !scheduled) {
        scheduled = true;
        setImmediate(start);
      }
      return true;
    },
    pending: () => count,
    drained: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}

function halvesOf<T>(items: T[]): [T[], T[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}
