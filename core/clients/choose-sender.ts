// Which of several senders gets a call. Messages of one sending domain go to one sender, so that its batches are full: a
// batch costs one visit to the gate and one locked row for each domain in it. Every api finds the same one, by its score
// (core/base/rendezvous.ts). One that has much more to do than the others is passed over, so that a busy domain has them all
// (consistent hashing with bounded loads, https://arxiv.org/abs/1608.01350).
//
// Calls about a bucket go to the two senders with the highest scores for it, so that few need to have it open; to the next by
// score while both have much more to do than the others. Every sender has the first bucket open: calls about that one name none.

import { hashOf, ownersOf, scoreOf, type Seeded } from '../base/rendezvous.ts';

/** What is known of a sender; it is seeded with its address. */
export interface Choice extends Seeded {
  /** The calls that wait for it. */
  calls: { size: number };
}

/** What a call is about, as far as it decides who gets it. */
export interface About {
  /** Calls of one affinity go to one sender while it is well. */
  affinity?: number | undefined;
  /** `hashOf` the bucket, unless that is the first. */
  bucket?: number | undefined;
}

const BUSY_CALLS = 64; // fewer in flight make no sender busy: so many fill a batch
const BUSY_SHARE = 1.25; // of the mean; beyond that the next sender by score gets the call

/** Stands for a tenant's domain; `from` is an address or `Name <address>`. Empty: for the tenant. */
export function affinityOf(tenantId: string, from: string): number {
  const end = from.endsWith('>') ? from.length - 1 : from.length;
  return hashOf(`${tenantId} ${from.slice(from.lastIndexOf('@') + 1, end).toLowerCase()}`);
}

/** The sender for a call; for one about nothing the least busy, of equal ones the first. */
export function chooseSender<T extends Choice>(
  senders: readonly T[],
  { affinity, bucket }: About = NOTHING,
): T | undefined {
  const found = bucket === undefined ? undefined : ofBucket(senders, bucket, affinity);
  if (found !== undefined) return found;
  return (affinity !== undefined && highest(senders, affinity, busyFrom(senders))) || leastBusy(senders);
}

const NOTHING: About = {};

function ofBucket<T extends Choice>(
  senders: readonly T[],
  bucket: number,
  affinity: number | undefined,
): T | undefined {
  const most = busyFrom(senders);
  const free = ownersOf(bucket, senders).filter(({ calls }) => calls.size < most);
  if (free.length === 0) return highest(senders, bucket, most);
  return affinity === undefined ? leastBusy(free) : highest(free, affinity, most);
}

// So many calls in flight make one of them busy.
function busyFrom(senders: readonly Choice[]): number {
  const inFlight = senders.reduce((sum, { calls }) => sum + calls.size, 0);
  return Math.max(BUSY_CALLS, ((inFlight + 1) * BUSY_SHARE) / senders.length);
}

function highest<T extends Choice>(senders: readonly T[], key: number, most: number): T | undefined {
  let best: T | undefined;
  let bestScore = -1;
  for (const one of senders) {
    const score = scoreOf(key, one.seed);
    if (score <= bestScore || one.calls.size >= most) continue;
    best = one;
    bestScore = score;
  }
  return best;
}

function leastBusy<T extends Choice>(senders: readonly T[]): T | undefined {
  return senders.reduce<T | undefined>(
    (best, one) => (best === undefined || one.calls.size < best.calls.size ? one : best),
    undefined,
  );
}
