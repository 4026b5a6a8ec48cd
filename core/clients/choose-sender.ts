// Which of several senders gets a call. Messages of one sending domain go to one sender, so that its batches are full: a
// batch costs one visit to the gate and one locked row for each domain in it. Every api finds the same one, by rendezvous
// hashing: each pair of domain and sender has a score, the highest wins, and a sender that comes or goes moves its own
// domains only. One that has much more to do than the others is passed over, so that a busy domain has them all
// (consistent hashing with bounded loads, https://arxiv.org/abs/1608.01350).

/** What is known of a sender. */
export interface Choice {
  /** `hashOf` its address. */
  seed: number;
  /** The calls that wait for it. */
  calls: { size: number };
}

const BUSY_CALLS = 64; // fewer in flight make no sender busy: so many fill a batch
const BUSY_SHARE = 1.25; // of the mean; beyond that the next sender by score gets the call

/** A number that stands for a text: FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Stands for a tenant's domain; `from` is an address or `Name <address>`. Empty: for the tenant. */
export function affinityOf(tenantId: string, from: string): number {
  const end = from.endsWith('>') ? from.length - 1 : from.length;
  return hashOf(`${tenantId} ${from.slice(from.lastIndexOf('@') + 1, end).toLowerCase()}`);
}

/** The sender for a call of this affinity; without one the least busy, of equal ones the first. */
export function chooseSender<T extends Choice>(senders: readonly T[], affinity?: number): T | undefined {
  return (affinity !== undefined && highest(senders, affinity)) || leastBusy(senders);
}

function highest<T extends Choice>(senders: readonly T[], affinity: number): T | undefined {
  const inFlight = senders.reduce((sum, { calls }) => sum + calls.size, 0);
  const most = Math.max(BUSY_CALLS, ((inFlight + 1) * BUSY_SHARE) / senders.length);
  let best: T | undefined;
  let bestScore = -1;
  for (const one of senders) {
    const score = mix(affinity ^ one.seed);
    if (score <= bestScore || one.calls.size >= most) continue;
    best = one;
    bestScore = score;
  }
  return best;
}

// The last step of MurmurHash3: each bit of the input changes half of the bits.
function mix(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function leastBusy<T extends Choice>(senders: readonly T[]): T | undefined {
  return senders.reduce<T | undefined>(
    (best, one) => (best === undefined || one.calls.size < best.calls.size ? one : best),
    undefined,
  );
}
