// A destination: the messages waiting for one next hop, its connections, and how much it takes at a time.

import type { Stream } from '../../core/base/stream.ts';
import type { Claim } from '../../core/message/claim.ts';
import { createConcurrency, type Concurrency } from './concurrency.ts';
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts';
import { createDrainRate, type DrainRate } from './drain-rate.ts';
import type { Target } from './target.ts';

/** A claimed message in the memory of this process, with the name under which it was claimed. */
export interface Held {
  claim: Claim;
  workerId: string;
}

/** A message waiting for its turn, and the name of the route by which it came here. */
export interface Waiting {
  held: Held;
  esp: string;
}

/** One next hop. */
export interface Destination {
  key: string;
  pool: ConnectionPool;
  concurrency: Concurrency;
  waiting: { transactional: Waiting[]; bulk: Waiting[] };
  /** Messages on their way now. */
  active: number;
  /** How fast it takes mail. */
  rate: DrainRate;
  /** Since when it cannot keep all that comes; null again as soon as nothing waits. Times are monotonic. */
  fullSince: number | null;
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
    rate: createDrainRate(),
    fullSince: null,
    madeAt: options.now,
    usedAt: options.now,
  };
}

/**
 * Messages that a destination keeps in memory, waiting or on their way, as one of a lane sees it: a receipt does not
 * count the campaign behind it.
 */
export function heldBy({ waiting, active }: Destination, stream: Stream): number {
  return waiting.transactional.length + active + (stream === 'bulk' ? waiting.bulk.length : 0);
}

/** Whether messages wait for their turn. */
export function hasWaiting({ waiting }: Destination): boolean {
  return waiting.transactional.length + waiting.bulk.length > 0;
}

/** The next message: receipts before campaigns. */
export function nextWaiting({ waiting }: Destination): Waiting | undefined {
  return waiting.transactional.shift() ?? waiting.bulk.shift();
}

/** Takes all waiting messages away. */
export function emptyWaiting({ waiting }: Destination): Held[] {
  return [...waiting.transactional.splice(0), ...waiting.bulk.splice(0)].map(({ held }) => held);
}
