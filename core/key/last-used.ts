// When each API key was last used, and how often it was refused at an address that it does not allow: collected in memory
// and written in one statement every few seconds, because a row update per request would cost more than the request.

import { nowDate } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Database } from '../db/pool.ts';
import { updateLastUsed, updateRefused, type KeyRefusals } from './key-store.ts';

const FLUSH_EVERY_MS = 10_000; // the contract allows 60 s; a crash loses at most this much

/** The uses of one process. */
export interface LastUsed {
  mark(keyId: string): void;
  /** It was tried from an address that it does not allow. */
  refused(keyId: string, address: string): void;
  /** Writes what was collected. Never throws: what could not be written is tried again with the next. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Starts collecting. */
export function createLastUsed(db: Database, log: Logger): LastUsed {
  let uses = new Map<string, Date>();
  let refusals = new Map<string, Omit<KeyRefusals, 'id'>>();

  async function flushRefusals(): Promise<void> {
    if (refusals.size === 0) return;
    const batch = refusals;
    refusals = new Map();
    try {
      await updateRefused(
        db.pool,
        [...batch].map(([id, one]) => ({ id, ...one })),
      );
    } catch (error) {
      log.warn({ err: error }, 'refusals of API keys could not be written; they are not counted');
    }
  }

  async function flush(): Promise<void> {
    await flushRefusals();
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
    refused(keyId, address) {
      const count = (refusals.get(keyId)?.count ?? 0) + 1;
      refusals.set(keyId, { at: nowDate(), from: address, count });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
