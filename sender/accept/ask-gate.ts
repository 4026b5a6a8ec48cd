// Second step of accepting: the messages that want a slot ask the gate, grouped by sending domain.

import type { Gate, GateRequest } from './gate/gate.ts';
import type { Candidate, Facts } from './facts.ts';
import { bulkCap, capOfTier } from '../../core/warmup/tiers.ts';

/** What the gate was asked for one domain, and said. */
export interface Asked {
  request: GateRequest;
  /** Allowed by Redis; null when Redis could not say. */
  allowed: Set<string> | null;
  /** Whether the day's row must be locked: something was allowed, or Redis denies what PostgreSQL has room for. */
  wantsSlots: boolean;
}

/** Asks for all domains of the batch in one round trip. Marks the candidates that may not even try. */
export async function askGate(gate: Gate, facts: Facts): Promise<Asked[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of facts.candidates) {
    if (!wantsSlot(candidate)) continue;
    const group = groups.get(candidate.domain!.id);
    if (group) group.push(candidate);
    else groups.set(candidate.domain!.id, [candidate]);
  }
  const requests = [...groups.values()].map((group) => toRequest(group, facts.clock.day));
  const verdicts = await gate.admit(requests);
  return requests.map((request, i) => {
    const verdict = verdicts[i]!;
    if (!verdict.decided) return { request, allowed: null, wantsSlots: true };
    const allowed = new Set(request.items.filter((_, at) => verdict.allowed[at]).map((item) => item.id));
    return { request, allowed, wantsSlots: allowed.size > 0 || hasRoom(request) };
  });
}

/** Whether a message takes a slot now: it counts, and is not scheduled for later. */
export function wantsSlot(candidate: Candidate): boolean {
  return candidate.verdict === 'count' && candidate.message.scheduledAt === null;
}

function toRequest(group: Candidate[], day: string): GateRequest {
  const domain = group[0]!.domain!;
  const cap = domain.cap ?? capOfTier(domain.tier);
  return {
    tenantId: domain.tenantId,
    domainId: domain.id,
    day,
    cap,
    bulkCap: bulkCap(cap, domain.transactionalReserve),
    items: group.map(({ message }) => ({ id: message.id, stream: message.stream })),
    known: { used: domain.used ?? 0, reserved: domain.reserved ?? 0, bulkUsed: domain.bulkUsed ?? 0 },
  };
}

function hasRoom({ known, cap }: GateRequest): boolean {
  return known.used + known.reserved < cap;
}
