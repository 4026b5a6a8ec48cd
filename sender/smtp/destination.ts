// A destination: the messages waiting for one next hop, its connections, and how many it accepts at a time.

import type { Source } from '../../core/base/egress-pools.ts';
import type { Stream } from '../../core/base/stream.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { MailboxProvider } from '../../core/mailbox-provider/provider-table.ts';
import type { Outcome, PostponeReason } from '../../core/message/outcome.ts';
import { createConcurrency, type Concurrency } from './concurrency.ts';
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts';
import { createDrainRate, type DrainRate } from './drain-rate.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import type { DeliveryTrace } from '../deliver/trace-delivery.ts';
import type { Admission } from '../source/shares.ts';
import type { Target } from './target.ts';

/** Whoever claimed messages, one for each bucket. */
export interface Claimer {
  /** Hears what became of a message; null when another sender decides that. */
  done(message: ClaimedMessage, outcome: Outcome | null): void;
}

/** A message in flight, with the worker id under which it was claimed. */
export interface ClaimedMessage {
  claim: Claim;
  workerId: string;
  claimer: Claimer;
  /** What it was given of the day of the new address that it leaves from; null or left out from any other. */
  admission?: Admission | null;
  /** Left out in a process without traces. */
  trace?: DeliveryTrace | undefined;
}

/** A message that waits for a connection, and the name of the route that led here. */
export interface Waiting {
  message: ClaimedMessage;
  esp: string;
}

/** One next hop. */
export interface Destination {
  key: string;
  /** Whose limits hold here, if anybody's (sender/deliver/provider-gate.ts). */
  provider: MailboxProvider | null;
  /** The address that its connections leave from; null: the system's own. */
  source: Source | null;
  pool: ConnectionPool;
  concurrency: Concurrency;
  /** Why it rests, while it does (concurrency.ts). */
  restReason: PostponeReason & ('network' | 'tls_policy');
  waiting: Record<Stream, FairQueue<Waiting>>;
  /** Octets of content that its messages keep in memory, those that run among them. */
  octets: Record<Stream, number>;
  /** How many of its messages each tenant has, those that run among them. */
  tenants: Map<string, number>;
  /** SMTP transactions that run now. */
  active: number;
  /** How fast it accepts mail. */
  rate: DrainRate;
  /** Since when messages are sent back for want of capacity; null again as soon as none waits. Times are monotonic. */
  fullSince: number | null;
  madeAt: number;
  usedAt: number;
}

const ownerOf = ({ message }: Waiting) => message.claim;

/** A destination without messages. */
export function createDestination(
  target: Target,
  options: { maxConnections: number; scale: number; now: number },
): Destination {
  return {
    key: target.key,
    provider: target.provider,
    source: target.source,
    pool: createConnectionPool(target),
    concurrency: createConcurrency(options.maxConnections, options.scale),
    restReason: 'network',
    waiting: { transactional: createFairQueue(ownerOf), bulk: createFairQueue(ownerOf) },
    octets: { transactional: 0, bulk: 0 },
    tenants: new Map(),
    active: 0,
    rate: createDrainRate(),
    fullSince: null,
    madeAt: options.now,
    usedAt: options.now,
  };
}

/**
 * Messages of a destination that a new one of `stream` would stand behind: transactional mail goes before bulk mail, so
 * it does not count it.
 */
export function countAhead({ waiting, active }: Destination, stream: Stream): number {
  return waiting.transactional.size() + active + (stream === 'bulk' ? waiting.bulk.size() : 0);
}

/** Whether a tenant has its part of so many messages here, all tenants that have some getting the same. */
export function hasItsPart({ tenants }: Destination, tenantId: string, most: number): boolean {
  const own = tenants.get(tenantId) ?? 0;
  return own >= most / (tenants.size + (own === 0 ? 1 : 0));
}

/** What countAhead counts, in octets of content. */
export function octetsAhead({ octets }: Destination, stream: Stream): number {
  return octets.transactional + (stream === 'bulk' ? octets.bulk : 0);
}

/** Lets a message wait for a connection. */
export function addWaiting(destination: Destination, waiting: Waiting): void {
  const { stream, octets, tenantId } = waiting.message.claim;
  destination.waiting[stream].push(waiting);
  destination.octets[stream] += octets;
  destination.tenants.set(tenantId, (destination.tenants.get(tenantId) ?? 0) + 1);
}

/** Notes that a message needs the destination no more. */
export function removeMessage({ octets, tenants }: Destination, { claim }: ClaimedMessage): void {
  octets[claim.stream] -= claim.octets;
  const left = (tenants.get(claim.tenantId) ?? 1) - 1;
  if (left > 0) tenants.set(claim.tenantId, left);
  else tenants.delete(claim.tenantId);
}

/** Whether messages wait for a connection. */
export function hasWaiting({ waiting }: Destination): boolean {
  return waiting.transactional.size() + waiting.bulk.size() > 0;
}

/** The next message: transactional mail first, and in turns (fair-queue.ts). */
export function nextWaiting({ waiting }: Destination): Waiting | undefined {
  return waiting.transactional.shift() ?? waiting.bulk.shift();
}

/** Removes and returns all waiting messages, or those of one claimer. */
export function emptyWaiting(destination: Destination, claimer?: Claimer): ClaimedMessage[] {
  const all: Waiting[] = [];
  for (let next = nextWaiting(destination); next; next = nextWaiting(destination)) all.push(next);
  for (const { message } of all) removeMessage(destination, message);
  if (!claimer) return all.map(({ message }) => message);
  for (const one of all) if (one.message.claimer !== claimer) addWaiting(destination, one);
  return all.map(({ message }) => message).filter((message) => message.claimer === claimer);
}
