// Second step of accepting: the fast check. The gate in Redis is asked about all messages that need an admission today,
// grouped by sending domain.

import type { Gate, GateRequest } from './gate/gate.ts';
import type { Candidate, Facts } from './facts.ts';
import { isUrgent } from '../../core/message/origin.ts';
import { bulkCap, capOfTier, systemReserve } from '../../core/warmup/tiers.ts';

/** A question to the gate about one domain, and its answer. */
export interface Asked {
  request: GateRequest;
  /** Ids that Redis admitted; null when it could not answer. */
  allowed: Set<string> | null;
  /** Whether the day's row must be locked: Redis admitted something, or denies what fits by PostgreSQL's row. */
  locksDay: boolean;
}

/** Asks about all domains of the batch in one round trip. */
export async function askGate(gate: Gate, facts: Facts): Promise<Asked[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of facts.candidates) {
    if (!needsAdmission(candidate)) continue;
    const group = groups.get(candidate.domain!.id);
    if (group) group.push(candidate);
    else groups.set(candidate.domain!.id, [candidate]);
  }
  const requests = [...groups.values()].map((group) => toRequest(group, facts));
  const verdicts = await gate.admit(requests);
  return requests.map((request, i) => {
    const verdict = verdicts[i]!;
    if (!verdict.decided) return { request, allowed: null, locksDay: true };
    const allowed = new Set(request.items.filter((_, at) => verdict.allowed[at]).map((item) => item.id));
    return { request, allowed, locksDay: allowed.size > 0 || fits(request) };
  });
}

/** Whether a message needs an admission of today: it counts, is not scheduled for later and not held by the brake. */
function needsAdmission(candidate: Candidate): boolean {
  return candidate.verdict === 'count' && candidate.message.scheduledAt === null && !isBraked(candidate);
}

/** Whether the same-day brake of its domain holds a message before it is admitted. */
export function isBraked({ domain, message }: Candidate): boolean {
  return domain?.brake !== 'off' && message.stream === 'bulk';
}

function toRequest(group: Candidate[], { clock: { day }, systemDomain }: Facts): GateRequest {
  const domain = group[0]!.domain!;
  const cap = domain.cap ?? capOfTier(domain.tier);
  return {
    tenantId: domain.tenantId,
    domainId: domain.id,
    day,
    cap,
    ordinaryCap: domain.name === systemDomain ? cap - systemReserve(cap) : cap,
    bulkCap: bulkCap(cap, domain.transactionalReserve, domain.bulkLimit),
    items: group.map(({ recipient, message }) => ({
      id: recipient.id,
      stream: message.stream,
      urgent: isUrgent(message.origin),
    })),
    known: {
      used: domain.used ?? 0,
      reserved: domain.reserved ?? 0,
      bulkUsed: domain.bulkUsed ?? 0,
      bulkReserved: domain.bulkReserved ?? 0,
    },
  };
}

function fits({ known, cap, ordinaryCap, items }: GateRequest): boolean {
  if (known.used + known.reserved < ordinaryCap) return true;
  return known.used < cap && items.some(({ urgent }) => urgent);
}
