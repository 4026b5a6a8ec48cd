// A pool that keeps working while the server admits no new connections, or makes them slowly: it keeps some connections open, and
// callers wait for an open one while another is opened for them. In pg.Pool a caller waits for the new connection, also when others
// have become free, and gets the error if it is refused.

import type pg from 'pg';

import { monotonicMs } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { startLoop } from '../base/loop.ts';
import { withCallback } from './bucket-pool.ts';
import { admitsNoMore } from './sql-state.ts';

const REFUSED_MS = 1_000; // after the server refused a connection, until it is asked for one again
const CHECK_MS = 250; // between two checks whether a connection is missing
const LONGEST_PAUSE_MS = 1_000; // between two tries while none can be opened: 8 processes ask some 30 times a second

/** Changes `pool` in place. It opens `min` connections at once, and replaces those that break. */
export function keepSteady(pool: pg.Pool, min: number, log: Logger): { stop(): Promise<void> } {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const { max } = pool.options;
  let open = 0; // `totalCount` counts connections that are not open yet, too
  pool.on('connect', () => open++);
  pool.on('remove', () => open--);

  // A pool that is full lets its callers wait for the connections that it has.
  const beFull = () => (pool.options.max = Math.max(1, pool.totalCount));
  const openMore = (count: number) => {
    pool.options.max = max;
    const opening = Array.from({ length: count }, () => connect());
    beFull();
    return Promise.allSettled(opening);
  };

  let refusedAt = -Infinity;
  const growIfNeeded = async () => {
    const isNeeded = pool.idleCount === 0 && pool.waitingCount > pool.totalCount - open;
    if (!isNeeded || pool.totalCount >= max || monotonicMs() - refusedAt < REFUSED_MS) return;
    const [grown] = await openMore(1);
    if (grown?.status === 'fulfilled') return grown.value.release();
    log.warn({ err: grown?.reason, open }, 'no more database connections can be opened');
    refusedAt = monotonicMs();
  };
  const acquire = async (): Promise<pg.PoolClient> => {
    if (open === 0) pool.options.max = max;
    else beFull();
    const client = connect();
    process.nextTick(() => void growIfNeeded()); // the pool has given its idle connections to callers by then
    try {
      return await client;
    } catch (error) {
      if (!admitsNoMore(error) || open === 0) throw error;
      return acquire();
    }
  };
  pool.connect = withCallback(acquire);

  // Only when all are held at the same time is a new one opened.
  const openMissing = async () => {
    if (open >= min) return CHECK_MS;
    const held = await openMore(min);
    for (const one of held) if (one.status === 'fulfilled') one.value.release();
    const failed = held.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return CHECK_MS;
  };
  return startLoop({
    what: 'keeping database connections open',
    log,
    step: openMissing,
    longestPauseMs: LONGEST_PAUSE_MS,
    isExpected: () => true,
  });
}
