// When each API key was last used: collected in memory and written in one statement every few seconds, because a
// row update per request would cost more than the request.

import { nowDate } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Database } from '../db/pool.ts';
import { updateLastUsed } from './key-store.ts';

const FLUSH_EVERY_MS = 10_000; // the contract allows 60 s; a crash loses at most this much

/** The uses of one process. */
export interface LastUsed {
  mark(keyId: string): void;
  /** Writes what was collected. Never throws: what could not be written is tried again with the next. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Starts collecting. */
export function createLastUsed(db: Database, log: Logger): LastUsed {
  let uses = new Map<string, Date>();

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const batch = uses;
    uses = new Map();
    try {
      await updateLastUsed(
        db.pool,
        [...batch].map(([id, at]) => ({ id, at })),
      );
    } catch (error) {
      log.warn({ err: error }, 'last_used_at could not be written; trying again');
      for (const [id, at] of batch) if (!uses.has(id)) uses.set(id, at);
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  timer.unref();
  return {
    mark: (keyId) => void uses.set(keyId, nowDate()),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
