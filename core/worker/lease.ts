// The right of this process to deliver what it has claimed. Its row in `workers` gets a heartbeat; when that is older
// than the lease, by the database's clock, any sender may delete the row and claim its messages. So this process must know
// by itself, without asking, when it has to stop: a laptop lid, a SIGSTOP or a lost network must not end in mail sent twice.
//
// Guarantee: `holds(id)` turns false before another process may take the messages of `id`, because the time is counted
// from before the last good heartbeat was sent, and only three quarters of the lease count. It turns true again when a
// heartbeat finds the row: after an outage of the database every sender goes on with what it has claimed.

import type pg from 'pg';

import { monotonicMs, utcDay } from '../base/clock.ts';
import { newUuid } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { startLoop } from '../base/loop.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import { createLiveWorkers, MOST_NAMED, type LiveWorkers } from './live-workers.ts';
import { beat, deleteWorker, insertWorker, type WorkerKind } from './worker-store.ts';

/** The lease of one process. */
export interface Lease {
  /** Under which this process claims now. It changes when a lease was lost, to another sender: the old name is over. */
  workerId(): string;
  /** Whether what was claimed under this id may still be delivered. */
  holds(workerId: string): boolean;
  /** Live workers of this service, this one included, as of the last heartbeat. */
  peers(): number;
  /** Those of them that are there for bulk mail only. */
  bulkPeers(): number;
  /** Who lives, for leases that were asked to name them. */
  live: LiveWorkers;
  /** For how long this process has been in touch with the database without a gap. */
  steadyMs(): number;
  /** The database's time, extrapolated from the last heartbeat. */
  databaseNow(): Date;
  /**
   * Whether a UTC day (YYYY-MM-DD) has ended by the database's clock, or may have: the time since the last heartbeat was
   * sent is counted as passed since it was answered.
   */
  isOver(day: string): boolean;
  /** Calls back, once per loss, after a lease was lost and before the process has a new name. */
  onLost(listener: () => void): void;
  /** Ends the lease: its row is deleted, and messages still claimed can be claimed by others. */
  stop(): Promise<void>;
}

const BEATS_PER_LEASE = 5;
const USABLE_PART = 0.75; // of the lease; the rest covers a transaction that has begun, and unequal clocks
const IN_TOUCH_PART = 0.5; // of the lease: two heartbeats in a row may fail; after a longer gap others may have had one
const LIVE_PART = 0.5; // of the lease, without a heartbeat: no longer named as one that lives, though it may hold its lease yet

/** Makes the worker's row and keeps it alive. Needs the database now; later outages it survives. */
export async function startLease(deps: {
  pool: pg.Pool;
  log: Logger;
  worker: WorkerKind;
  leaseMs: number;
  /** Whether heartbeats name the live workers of the same kind. */
  named?: boolean;
}): Promise<Lease> {
  const { pool, log, worker, leaseMs } = deps;
  const name = { withinMs: leaseMs * LIVE_PART, most: deps.named === true ? MOST_NAMED : 0 };
  const lost: (() => void)[] = [];
  let id = newUuid();
  let registered = false;
  let goodUntil = 0;
  let beatenAt = -Infinity; // when the last good heartbeat was sent
  let steadySince = 0;
  let offsetMs = 0;
  let peers = 1;
  let bulkPeers = 0;
  let latestOffsetMs = 0; // from the monotonic clock to the latest that the database's may say

  const inTouchMs = leaseMs * IN_TOUCH_PART;
  const renewed = (startedAt: number, now: Date) => {
    if (startedAt - beatenAt > inTouchMs) steadySince = monotonicMs();
    beatenAt = startedAt;
    goodUntil = startedAt + leaseMs * USABLE_PART;
    offsetMs = now.getTime() - monotonicMs(); // not the wall clock, which may be set
    latestOffsetMs = now.getTime() - startedAt;
  };
  const steadyMs = () => (monotonicMs() - beatenAt > inTouchMs ? 0 : monotonicMs() - steadySince);
  const live = createLiveWorkers(() => id);
  const register = async () => {
    const startedAt = monotonicMs();
    const first = await insertWorker(pool, id, worker, leaseMs, name);
    ({ peers, bulkPeers } = first);
    registered = true;
    renewed(startedAt, first.now);
    live.heard(first.named, false);
  };
  const lose = () => {
    log.warn({ worker: id }, 'the lease was lost; other senders take over the messages in flight');
    id = newUuid();
    registered = false;
    goodUntil = 0;
    beatenAt = -Infinity;
    for (const listener of lost) listener();
  };
  const heartbeat = async () => {
    const startedAt = monotonicMs();
    if (!registered) return register();
    const found = await beat(pool, id, worker.bulkOnly, leaseMs, name);
    ({ peers, bulkPeers } = found);
    if (!found.alive) {
      lose();
      return register();
    }
    renewed(startedAt, found.now);
    live.heard(found.named, steadyMs() > name.withinMs);
  };
  await register();
  const beatMs = leaseMs / BEATS_PER_LEASE;
  const loop = startLoop({
    what: 'the heartbeat',
    log,
    isExpected: isDatabaseAway,
    firstInMs: beatMs,
    longestPauseMs: beatMs,
    async step() {
      await heartbeat();
      return beatMs;
    },
  });
  return {
    workerId: () => id,
    holds: (workerId) => workerId === id && monotonicMs() < goodUntil,
    peers: () => peers,
    bulkPeers: () => bulkPeers,
    live,
    steadyMs,
    databaseNow: () => new Date(monotonicMs() + offsetMs),
    isOver: (day) => day < utcDay(new Date(monotonicMs() + latestOffsetMs)),
    onLost: (listener) => void lost.push(listener),
    stop: async () => {
      goodUntil = 0;
      await loop.stop();
      goodUntil = 0; // a last heartbeat may have renewed it
      await deleteWorker(pool, id).catch(() => {});
    },
  };
}
