// Third step of accepting, without I/O: with the rows locked, what becomes of each message, in the order in which
// they came. Quota first, then the slot: Redis's word counts as long as PostgreSQL's row agrees.

import { nextUtcMidnight } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import type { BirthEvent, MessageRow } from '../../core/message/accept-store.ts';
import type { Stream } from '../../core/base/stream.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Accepted, MessageAnswer, QuotaUse, SubmissionAnswer } from '../../core/message/submission.ts';
import { MONTHLY_CAP, type Plan } from '../../core/tenant/plan.ts';
import { bulkCap } from '../../core/warmup/tiers.ts';
import type { LockedDay } from '../../core/warmup/warmup-store.ts';
import { quotaExceeded, refusal, warmupUse } from './answers.ts';
import type { EspCount } from './esp-shares.ts';
import type { Candidate, Facts } from './facts.ts';
import type { Locks } from './lock-rows.ts';
import { wantsSlot, type Asked } from './ask-gate.ts';

/** What deciding is told by the process that decides. */
export interface DecideDeps {
  /** How many messages of a stream this process can deliver now. */
  capacity: (stream: Stream) => number;
  /** Age in ms at which a failing message expires. */
  maxAgeMs: number;
}

/** Everything that the batch writes and answers. */
export interface Decided {
  answers: SubmissionAnswer[];
  rows: MessageRow[];
  events: BirthEvent[];
  claims: Claim[];
  /** Admitted messages that no worker holds yet. */
  unclaimed: number;
  /** Ids that took a slot. */
  admitted: Set<string>;
  /** Domains on whose room PostgreSQL overruled Redis. */
  disagreements: Set<string>;
  /** Today's rows as they are after this batch. */
  days: Map<string, LockedDay>;
  /** Slots taken, by domain. */
  slots: Map<string, { tenantId: string; total: number; bulk: number }>;
  /** Accepted sends to add to the month, by tenant. */
  usage: Map<string, number>;
  /** Sends to add, by route. */
  esp: EspCount | null;
}

interface Deciding extends Decided {
  facts: Facts;
  workerId: string;
  maxAgeMs: number;
  /** What Redis said, by domain: ids allowed, or null when it could not say. */
  redis: Map<string, Set<string> | null>;
  /** The month's count by tenant, running. */
  used: Map<string, number>;
  /** Messages of each stream that this process can still deliver. */
  capacity: Record<Stream, number>;
}

/** Decides the batch. Changes the locked days to what they will be. */
export function decide(
  facts: Facts,
  locks: Locks,
  asked: Asked[],
  deps: DecideDeps & { workerId: string },
): Decided {
  const state: Deciding = {
    facts,
    workerId: deps.workerId,
    maxAgeMs: deps.maxAgeMs,
    redis: new Map(asked.map((one) => [one.request.domainId, one.allowed])),
    used: locks.usage,
    capacity: { transactional: deps.capacity('transactional'), bulk: deps.capacity('bulk') },
    answers: [],
    rows: [],
    events: [],
    claims: [],
    unclaimed: 0,
    admitted: new Set(),
    disagreements: new Set(),
    days: locks.days,
    slots: new Map(),
    usage: new Map(),
    esp: locks.esp ?? null,
  };
  const bySubmission = Map.groupBy(facts.candidates, (candidate) => candidate.submission);
  state.answers = facts.submissions.map(
    (submission, at) =>
      facts.settled.get(at) ?? decideOne(state, submission.tenantId, bySubmission.get(at) ?? []),
  );
  return state;
}

function decideOne(state: Deciding, tenantId: string, candidates: Candidate[]): SubmissionAnswer {
  if (!state.facts.tenants.has(tenantId)) return refusal('not_found', 'No such tenant.');
  const before = quota(state, tenantId);
  if (before.used >= before.cap && candidates.some((candidate) => candidate.verdict === 'count')) {
    return { ...quotaExceeded(before), quota: before };
  }
  const items = candidates.map((candidate) => decideMessage(state, candidate));
  return { ok: true, items, quota: quota(state, tenantId), replayed: false };
}

function decideMessage(state: Deciding, candidate: Candidate): MessageAnswer {
  if (candidate.answer) return candidate.answer;
  if (candidate.verdict === 'dropped') return drop(state, candidate);
  const { used, cap } = quota(state, candidate.tenantId);
  if (used >= cap) return quotaExceeded({ used, cap });
  state.used.set(candidate.tenantId, used + 1);
  state.usage.set(candidate.tenantId, (state.usage.get(candidate.tenantId) ?? 0) + 1);
  if (!wantsSlot(candidate)) return defer(state, candidate, 'scheduled', candidate.message.scheduledAt!);
  const full = takeSlot(state, candidate);
  if (full === null) return admit(state, candidate);
  return defer(state, candidate, full, nextUtcMidnight(state.facts.clock.now));
}

function quota(state: Deciding, tenantId: string): QuotaUse {
  const tenant = state.facts.tenants.get(tenantId)!;
  return { used: state.used.get(tenantId) ?? tenant.used, cap: MONTHLY_CAP[tenant.plan as Plan] };
}

// The second wall. The row is locked, so what it says now is what the UPDATE will find.
function takeSlot(state: Deciding, candidate: Candidate): 'warmup_cap' | 'esp_cap' | null {
  const { id: domainId, transactionalReserve } = candidate.domain!;
  const day = state.days.get(domainId);
  if (!day) return 'warmup_cap'; // Redis denied all of this domain and PostgreSQL had no room either: never locked
  const bulk = candidate.message.stream === 'bulk';
  const room =
    day.used + day.reserved < day.cap && !(bulk && day.bulkUsed >= bulkCap(day.cap, transactionalReserve));
  const redis = state.redis.get(domainId);
  if (redis && redis.has(candidate.message.id) !== room) state.disagreements.add(domainId);
  if (!room) return 'warmup_cap';
  if (state.esp && !state.esp.take(candidate.tenantId, candidate.message)) return 'esp_cap';
  const slots = state.slots.get(domainId) ?? { tenantId: candidate.tenantId, total: 0, bulk: 0 };
  slots.total += 1;
  day.used += 1;
  if (bulk) {
    slots.bulk += 1;
    day.bulkUsed += 1;
  }
  state.slots.set(domainId, slots);
  state.admitted.add(candidate.message.id);
  return null;
}

function admit(state: Deciding, candidate: Candidate): Accepted {
  const { clock } = state.facts;
  const claimed = state.capacity[candidate.message.stream] > 0;
  const row: MessageRow = {
    ...startRow(candidate),
    state: claimed ? 'sending' : 'queued',
    nextAttemptAt: clock.now,
    admittedDay: clock.day,
    expiresAt: new Date(clock.now.getTime() + state.maxAgeMs),
    claimVersion: claimed ? 1 : 0,
    claimedBy: claimed ? state.workerId : null,
  };
  state.rows.push(row);
  if (claimed) {
    state.capacity.transactional -= 1;
    state.capacity.bulk -= 1;
    state.claims.push(toClaim(row, clock.now));
  } else {
    state.unclaimed += 1;
  }
  return { ...startAnswer(state, candidate), status: 'queued' };
}

function defer(
  state: Deciding,
  candidate: Candidate,
  reason: 'warmup_cap' | 'esp_cap' | 'scheduled',
  until: Date,
): Accepted {
  state.rows.push({
    ...startRow(candidate),
    state: 'deferred',
    reason,
    deferReason: reason,
    deferredUntil: until,
  });
  const deferredUntil = until.toISOString();
  state.events.push(birthEvent(candidate, 'deferred', { reason, deferred_until: deferredUntil }));
  return { ...startAnswer(state, candidate), status: 'deferred', reason, deferredUntil };
}

function drop(state: Deciding, candidate: Candidate): Accepted {
  state.rows.push({
    ...startRow(candidate),
    state: 'dropped',
    reason: 'suppressed',
    finishedAt: state.facts.clock.now,
  });
  state.events.push(birthEvent(candidate, 'dropped', { reason: 'suppressed' }));
  return { ...startAnswer(state, candidate), status: 'dropped', reason: 'suppressed' };
}

function startAnswer(state: Deciding, { message, domain }: Candidate): Accepted {
  const day = state.days.get(domain!.id);
  const warmup = day ? { tier: domain!.tier, cap: day.cap, used: day.used } : warmupUse(domain!);
  const { id } = message;
  return { ok: true, id, status: 'queued', reason: null, deferredUntil: null, domain: domain!.name, warmup };
}

function startRow({ tenantId, message, domain, template }: Candidate): MessageRow {
  return {
    id: message.id,
    tenantId,
    domainId: domain!.id,
    stream: message.stream,
    state: 'queued',
    reason: null,
    deferReason: null,
    deferredUntil: null,
    nextAttemptAt: null,
    admittedDay: null,
    esp: message.esp,
    headerFrom: message.headerFrom,
    rcptTo: message.rcptTo,
    subject: template?.subject ?? message.subject,
    templateId: message.templateId,
    templateVersion: template?.version ?? null,
    campaignId: message.campaignId,
    contactId: message.contactId,
    tags: message.tags,
    claimVersion: 0,
    claimedBy: null,
    expiresAt: null,
    finishedAt: null,
    content: message.content,
  };
}

function birthEvent(
  { tenantId, message, domain }: Candidate,
  type: BirthEvent['type'],
  data: object,
): BirthEvent {
  return {
    id: newUuid(),
    tenantId,
    type,
    messageId: message.id,
    domainId: domain!.id,
    campaignId: message.campaignId,
    recipient: message.rcptTo,
    data: { ...data },
  };
}

function toClaim(row: MessageRow, createdAt: Date): Claim {
  return {
    id: row.id,
    tenantId: row.tenantId,
    domainId: row.domainId,
    stream: row.stream,
    claimVersion: row.claimVersion,
    attempts: 0,
    rcptTo: row.rcptTo,
    headerFrom: row.headerFrom,
    esp: row.esp,
    campaignId: row.campaignId,
    templateVersion: row.templateVersion,
    createdAt,
    expiresAt: row.expiresAt!,
    content: row.content,
  };
}
