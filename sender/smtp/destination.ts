// A destination: the messages waiting for one next hop, its connections, and how much it takes at a time.

import type { Claim } from '../../core/message/claim.ts';
import { createConcurrency, type Concurrency } from './concurrency.ts';
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts';
import type { Target } from './target.ts';

/** A claimed message in the memory of this process, with the name under which it was claimed. */
export interface Held {
  claim: Claim;
  workerId: string;
}

/** One next hop. */
export interface Destination {
  key: string;
  pool: ConnectionPool;
  concurrency: Concurrency;
  waiting: { transactional: Held[]; bulk: Held[] };
  /** Messages on their way now. */
  active: number;
  /** Messages since it was made: how fast it is, for those that do not fit. */
  finished: number;
  /** Monotonic clock. */
  madeAt: number;
  usedAt: number;
}

/** A destination without messages. */
export function createDestination(
  target: Target,
  options: { maxConnections: number; scale: number; now: number },
): Destination {
  return {
    key: target.key,
    pool: createConnectionPool(target),
    concurrency: createConcurrency(options.maxConnections, options.scale),
    waiting: { transactional: [], bulk: [] },
    active: 0,
    finished: 0,
    madeAt: options.now,
    usedAt: options.now,
  };
}

/** Messages that a destination keeps in memory, waiting or on their way. */
export function heldBy(destination: Destination): number {
  return destination.waiting.transactional.length + destination.waiting.bulk.length + destination.active;
}

/** The next message: receipts before campaigns. */
export function nextHeld({ waiting }: Destination): Held | undefined {
  return waiting.transactional.shift() ?? waiting.bulk.shift();
}

/** Takes all waiting messages away. */
export function emptyWaiting({ waiting }: Destination): Held[] {
  return [...waiting.transactional.splice(0), ...waiting.bulk.splice(0)];
}
