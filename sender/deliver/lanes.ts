// Claiming when more is due than this process can take: tenants take turns, and the domains of a tenant do. So a tenant
// with 200,000 due messages holds another's receipt up for one round, not until all of them are gone.

import { monotonicMs } from '../../core/base/clock.ts';
import type { Stream } from '../../core/base/stream.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { ClaimLimits, Lane, LaneShare } from '../../core/message/delivery-store.ts';

/** The turns of one process. */
export interface Lanes {
  /** Claims up to the limits, and says of which streams more may be due. */
  claim(workerId: string, limits: ClaimLimits): Promise<{ claims: Claim[]; left: Record<Stream, boolean> }>;
}

/** The statements of core/message/delivery-store.ts. */
export interface LanesDeps {
  find: () => Promise<Lane[]>;
  claim: (workerId: string, shares: LaneShare[], octets: number) => Promise<Claim[]>;
}

const LOOK_MS = 50;
const LOOK_PART = 0.05; // of the time goes into looking who has mail, however many lanes there are
const BULK_PART = 0.25; // while transactional mail is due: it goes first, but cannot starve the other

const CUT_PART = 0.5; // of the octets: with more than that they may have cut a claim short, and no lane is taken for empty

// Tenants and their domains in order of their turns: a map keeps the order in which keys were added.
type Turns = Map<string, Map<string, null>>;

/** Starts without knowing any lane. */
export function createLanes(deps: LanesDeps): Lanes {
  const turns: Record<Stream, Turns> = { transactional: new Map(), bulk: new Map() };
  let lookAgainMs = -Infinity;

  const look = async () => {
    const begunMs = monotonicMs();
    if (begunMs < lookAgainMs) return;
    const lanes = await deps.find();
    keepOnly(turns, lanes);
    const nowMs = monotonicMs();
    lookAgainMs = nowMs + Math.max(LOOK_MS, (nowMs - begunMs) / LOOK_PART);
  };
  return {
    claim: async (workerId, limits) => {
      await look();
      const hasFirst = turns.transactional.size > 0;
      const bulk = Math.min(limits.bulk, hasFirst ? Math.ceil(limits.messages * BULK_PART) : limits.messages);
      const shares = [...shareOut(turns, 'transactional', limits.messages), ...shareOut(turns, 'bulk', bulk)];
      const claims = shares.length === 0 ? [] : await deps.claim(workerId, shares, limits.octets);
      const octets = claims.reduce((sum, { content }) => sum + content.length, 0);
      const claimed = Map.groupBy(claims, (claim) => keyOf(claim));
      for (const share of shares) {
        const isEmpty = (claimed.get(keyOf(share))?.length ?? 0) < share.most;
        if (isEmpty && octets < limits.octets * CUT_PART) drop(turns[share.stream], share);
      }
      return { claims, left: { transactional: turns.transactional.size > 0, bulk: turns.bulk.size > 0 } };
    },
  };
}

function keyOf({ stream, domainId }: Pick<Lane, 'stream' | 'domainId'>): string {
  return `${stream} ${domainId}`;
}

// New lanes come last; those that are there keep their place.
function keepOnly(turns: Record<Stream, Turns>, lanes: Lane[]): void {
  const found = new Set(lanes.map(keyOf));
  for (const stream of ['transactional', 'bulk'] as const) {
    for (const [tenantId, domains] of turns[stream]) {
      for (const domainId of domains.keys()) {
        if (!found.has(keyOf({ stream, domainId }))) drop(turns[stream], { tenantId, domainId });
      }
    }
  }
  for (const { stream, tenantId, domainId } of lanes) {
    const domains = turns[stream].get(tenantId) ?? new Map<string, null>();
    turns[stream].set(tenantId, domains);
    if (!domains.has(domainId)) domains.set(domainId, null);
  }
}

function drop(turns: Turns, { tenantId, domainId }: Pick<Lane, 'tenantId' | 'domainId'>): void {
  const domains = turns.get(tenantId);
  domains?.delete(domainId);
  if (domains?.size === 0) turns.delete(tenantId);
}

function shareOut(turns: Record<Stream, Turns>, stream: Stream, most: number): LaneShare[] {
  return takeTurns(turns[stream], most).flatMap(([tenantId, part]) =>
    takeTurns(turns[stream].get(tenantId)!, part).map(([domainId, most]) => ({
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
