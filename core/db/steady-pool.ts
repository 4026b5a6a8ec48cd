// A pool that keeps working while other programs hold all other connections of the server: it keeps some connections open, and
// while the server admits no more, callers wait for those that the pool has.

import type pg from 'pg';

import type { Logger } from '../base/log.ts';
import { startLoop } from '../base/loop.ts';
import { withCallback } from './bucket-pool.ts';
import { admitsNoMore } from './sql-state.ts';

const ADMITS_NO_MORE_MS = 1_000; // then a caller who finds no free connection asks the server for one again
const CHECK_MS = 250; // between two checks whether a connection is missing
const LONGEST_PAUSE_MS = 1_000; // between two tries while the server refuses: 8 processes ask it some 30 times a second

/** Changes `pool` in place. It opens `min` connections at once, and replaces those that break. */
export function keepSteady(pool: pg.Pool, min: number, log: Logger): { stop(): Promise<void> } {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const { max } = pool.options;
  let open = 0; // `totalCount` counts connections that the server may still refuse, too
  pool.on('connect', () => open++);
  pool.on('remove', () => open--);

  let restoring: NodeJS.Timeout | undefined;
  const useOpenOnly = () => {
    if (pool.options.max === max) log.warn({ open }, 'the database admits no more connections');
    pool.options.max = open;
    clearTimeout(restoring);
    restoring = setTimeout(() => (pool.options.max = max), ADMITS_NO_MORE_MS).unref();
  };
  const acquire = async (): Promise<pg.PoolClient> => {
    try {
      return await connect();
    } catch (error) {
      if (!admitsNoMore(error) || open === 0) throw error;
      useOpenOnly();
      return acquire();
    }
  };
  pool.connect = withCallback(acquire);

  // Only when all are held at the same time is a new one opened.
  const openMissing = async () => {
    if (open >= min) return CHECK_MS;
    const held = await Promise.allSettled(Array.from({ length: min }, () => connect()));
    for (const one of held) if (one.status === 'fulfilled') one.value.release();
    const failed = held.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return CHECK_MS;
  };
  const loop = startLoop({
    what: 'keeping database connections open',
    log,
    step: openMissing,
    longestPauseMs: LONGEST_PAUSE_MS,
    isExpected: () => true,
  });
  return {
    stop() {
      clearTimeout(restoring);
      return loop.stop();
    },
  };
}
