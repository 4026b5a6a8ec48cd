// Claiming when more is due than this process can take: tenants take turns, and the domains of a tenant do. So a tenant
// with 200,000 due messages holds another's receipt up for one round, not until all of them are gone.

import { monotonicMs } from '../../core/base/clock.ts';
import type { Stream } from '../../core/base/stream.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { ClaimLimits, DueDomain, DomainShare } from '../../core/message/delivery-store.ts';

/** The turns of one process. */
export interface Turns {
  /** Claims up to the limits, and says of which streams more may be due. */
  claim(workerId: string, limits: ClaimLimits): Promise<{ claims: Claim[]; left: Record<Stream, boolean> }>;
}

/** The statements of core/message/delivery-store.ts. */
export interface TurnsDeps {
  find: () => Promise<DueDomain[]>;
  claim: (workerId: string, shares: DomainShare[], octets: number) => Promise<Claim[]>;
}

const LOOK_MS = 50;
const LOOK_PART = 0.05; // of the time goes into looking who has mail, however many domains have some
const BULK_PART = 0.25; // while transactional mail is due: it goes first, but cannot starve the other
const CUT_PART = 0.5; // of the octets: with more than that they may have cut a claim short, and no domain is taken for empty

// Tenants and their domains in order of their turns: a map keeps the order in which keys were added.
type Order = Map<string, Map<string, null>>;

/** Starts without knowing of any due mail. */
export function createTurns(deps: TurnsDeps): Turns {
  const order: Record<Stream, Order> = { transactional: new Map(), bulk: new Map() };
  let lookAgainMs = -Infinity;

  const look = async () => {
    const begunMs = monotonicMs();
    if (begunMs < lookAgainMs) return;
    const due = await deps.find();
    keepOnly(order, due);
    const nowMs = monotonicMs();
    lookAgainMs = nowMs + Math.max(LOOK_MS, (nowMs - begunMs) / LOOK_PART);
  };
  return {
    claim: async (workerId, limits) => {
      await look();
      const hasFirst = order.transactional.size > 0;
      const bulk = Math.min(limits.bulk, hasFirst ? Math.ceil(limits.messages * BULK_PART) : limits.messages);
      const first = shareOut(order, 'transactional', limits.transactional);
      const shares = [...first, ...shareOut(order, 'bulk', bulk)];
      const claims = shares.length === 0 ? [] : await deps.claim(workerId, shares, limits.octets);
      const octets = claims.reduce((sum, { content }) => sum + content.length, 0);
      const claimed = Map.groupBy(claims, (claim) => keyOf(claim));
      for (const share of shares) {
        const isEmpty = (claimed.get(keyOf(share))?.length ?? 0) < share.most;
        if (isEmpty && octets < limits.octets * CUT_PART) drop(order[share.stream], share);
      }
      return { claims, left: { transactional: order.transactional.size > 0, bulk: order.bulk.size > 0 } };
    },
  };
}

function keyOf({ stream, domainId }: Pick<DueDomain, 'stream' | 'domainId'>): string {
  return `${stream} ${domainId}`;
}

// New ones come last; those that are there keep their place.
function keepOnly(order: Record<Stream, Order>, due: DueDomain[]): void {
  const found = new Set(due.map(keyOf));
  for (const stream of ['transactional', 'bulk'] as const) {
    for (const [tenantId, domains] of order[stream]) {
      for (const domainId of domains.keys()) {
        if (!found.has(keyOf({ stream, domainId }))) drop(order[stream], { tenantId, domainId });
      }
    }
  }
  for (const { stream, tenantId, domainId } of due) {
    const domains = order[stream].get(tenantId) ?? new Map<string, null>();
    order[stream].set(tenantId, domains);
    if (!domains.has(domainId)) domains.set(domainId, null);
  }
}

function drop(order: Order, { tenantId, domainId }: Pick<DueDomain, 'tenantId' | 'domainId'>): void {
  const domains = order.get(tenantId);
  domains?.delete(domainId);
  if (domains?.size === 0) order.delete(tenantId);
}

function shareOut(order: Record<Stream, Order>, stream: Stream, most: number): DomainShare[] {
  return takeTurns(order[stream], most).flatMap(([tenantId, part]) =>
    takeTurns(order[stream].get(tenantId)!, part).map(([domainId, most]) => ({
      stream,
      tenantId,
      domainId,
      most,
    })),
  );
}

// Equal parts for all of a map, or one for the first when there is less than one for each; they go to its end.
function takeTurns(queue: Map<string, unknown>, most: number): [string, number][] {
  const parts = [...queue.keys()]
    .slice(0, most)
    .map((key, at): [string, number] => [key, Math.floor((most + at) / queue.size) || 1]);
  for (const [key] of parts) {
    const value = queue.get(key);
    queue.delete(key);
    queue.set(key, value);
  }
  return parts;
}
