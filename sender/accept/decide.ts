// Third step of accepting, without I/O: with the rows locked, what becomes of each message, in the order in which
// they came. Quota first, then the day's cap: what Redis answered counts as long as PostgreSQL's row agrees.

import { nextUtcMidnight } from '../../core/base/clock.ts';
import type { Stream } from '../../core/base/stream.ts';
import type { MessageRow } from '../../core/message/accept-store.ts';
import { brakeInputs } from '../../core/message/brake-cause.ts';
import type { DecisionInputs } from '../../core/message/explain-words.ts';
import { isSystem, isUrgent } from '../../core/message/origin.ts';
import type {
  Accepted,
  MessageAnswer,
  QuotaUse,
  Refused,
  Submission,
  SubmissionAnswer,
} from '../../core/message/submission.ts';
import { MONTHLY_CAP, type Plan } from '../../core/tenant/plan.ts';
import { bulkCap, capOfTier, systemReserve } from '../../core/warmup/tiers.ts';
import type { LockedDay } from '../../core/warmup/warmup-store.ts';
import { idInUse, joinAnswers, quotaExceeded, refusal, warmupUse } from './answers.ts';
import { isBraked, type Asked } from './ask-gate.ts';
import type { Decided, Deciding } from './decided.ts';
import type { Candidate, Facts } from './facts.ts';
import type { Locks } from './lock-rows.ts';
import { newClaim, newEvent, newMessageRow, type Stored } from './new-rows.ts';

/** What deciding needs to know of this process. */
export interface DecideDeps {
  /** How many messages of a stream this process can deliver now, and how many of them may be of a tenant. */
  capacity: (stream: Stream, tenantId?: string) => number;
  /** Age in ms at which a failing message expires. */
  maxAgeMs: number;
}

/** Why a message is deferred, with the numbers of that moment. */
interface Why {
  reason: 'warmup_cap' | 'esp_cap' | 'scheduled' | 'brake' | 'sender_rules';
  inputs: DecisionInputs;
}

/** Decides the batch. Changes the locked days to what they will be. */
export function decide(
  facts: Facts,
  locks: Locks,
  asked: Asked[],
  deps: DecideDeps & { workerId: string; stored: Stored },
): Decided {
  const state: Deciding = {
    facts,
    workerId: deps.workerId,
    stored: deps.stored,
    maxAgeMs: deps.maxAgeMs,
    redis: new Map(asked.map((one) => [one.request.domainId, one.allowed])),
    used: new Map(),
    capacity: { transactional: deps.capacity('transactional'), bulk: deps.capacity('bulk') },
    capacityOf: new Map([...facts.tenants.keys()].map((id) => [id, deps.capacity('transactional', id)])),
    answers: [],
    rows: [],
    events: [],
    claims: [],
    unclaimed: 0,
    admitted: new Set(),
    disagreements: new Set(),
    days: locks.days,
    admissions: new Map(),
    usage: new Map(),
    esp: locks.esp ?? null,
  };
  const bySubmission = Map.groupBy(facts.candidates, (candidate) => candidate.submission);
  state.answers = facts.submissions.map(
    (submission, at) =>
      facts.settled.get(at) ?? decideSubmission(state, submission, bySubmission.get(at) ?? []),
  );
  return state;
}

function decideSubmission(
  state: Deciding,
  { tenantId, allOrNone = false }: Submission,
  candidates: Candidate[],
): SubmissionAnswer {
  if (!state.facts.tenants.has(tenantId)) return refusal('not_found', 'No such tenant.');
  const before = quota(state, tenantId);
  const suspended = suspensionOf(candidates);
  if (suspended) return { ...suspended, quota: before };
  if (before.used >= before.cap && candidates.some(usesQuota)) {
    return { ...quotaExceeded(before, candidates.length), quota: before };
  }
  const refused = allOrNone ? refusalOfAny(before, candidates) : null;
  if (refused) return { ...refused, quota: before };
  const byMessage = Map.groupBy(candidates, (candidate) => candidate.index);
  const items = [...byMessage.values()].map((recipients) => decideMessage(state, tenantId, recipients));
  return { ok: true, items, quota: quota(state, tenantId), replayed: false };
}

// The refusal of a suspended tenant, unless some of the messages are stored already.
function suspensionOf(candidates: Candidate[]): Refused | null {
  const isRefused = ({ answer }: Candidate) => answer?.ok === false && answer.code === 'tenant_suspended';
  const first = candidates[0]?.answer;
  return first?.ok === false && candidates.every(isRefused) ? first : null;
}

// Of messages that are accepted together or not at all: why not, or null. Nothing is decided yet.
function refusalOfAny(month: QuotaUse, candidates: Candidate[]): Refused | null {
  const known = candidates.flatMap(({ answer }) => answer ?? []);
  const refused = known.find((answer) => !answer.ok);
  if (refused) return refused;
  if (known.length > 0) return known.length === candidates.length ? null : idInUse();
  const counted = candidates.filter(usesQuota).length;
  return month.used + counted > month.cap ? quotaExceeded(month, counted) : null;
}

// All recipients of a message are accepted, each with its own decision, or none is.
function decideMessage(state: Deciding, tenantId: string, recipients: Candidate[]): MessageAnswer {
  const known = recipients.flatMap(({ answer }) => answer ?? []);
  const refused = known.find((answer) => !answer.ok);
  if (refused) return refused;
  if (known.length > 0) {
    const again = known.filter((answer) => answer.ok);
    // Only some are stored: the id was given to a message to others.
    return again.length === recipients.length ? joinAnswers(recipients, again) : idInUse();
  }
  const counted = recipients.filter(usesQuota).length;
  const month = quota(state, tenantId);
  if (counted > 0 && month.used + counted > month.cap) return quotaExceeded(month, counted);
  return joinAnswers(
    recipients,
    recipients.map((recipient) => decideRecipient(state, recipient)),
  );
}

function decideRecipient(state: Deciding, candidate: Candidate): Accepted {
  if (candidate.verdict === 'dropped') return drop(state, candidate);
  if (usesQuota(candidate)) useQuota(state, candidate.tenantId);
  const { scheduledAt } = candidate.message;
  if (scheduledAt !== null) return defer(state, candidate, scheduled(scheduledAt), scheduledAt);
  const why: Why | null = isBraked(candidate)
    ? { reason: 'brake', inputs: brakeInputs(candidate.domain!.brake, candidate.domain!.brakeCause) }
    : admitToday(state, candidate);
  if (why === null) return queue(state, candidate);
  return defer(state, candidate, why, nextUtcMidnight(state.facts.clock.now));
}

function usesQuota({ verdict, message }: Candidate): boolean {
  return verdict === 'count' && !isSystem(message.origin);
}

function useQuota(state: Deciding, tenantId: string): void {
  state.used.set(tenantId, quota(state, tenantId).used + 1);
  state.usage.set(tenantId, (state.usage.get(tenantId) ?? 0) + 1);
}

function quota(state: Deciding, tenantId: string): QuotaUse {
  const tenant = state.facts.tenants.get(tenantId)!;
  return { used: state.used.get(tenantId) ?? tenant.used, cap: MONTHLY_CAP[tenant.plan as Plan] };
}

// The authoritative check. The row is locked, so what it says now is what the UPDATE will find. Returns the cap that
// is reached, or null when the message was admitted.
function admitToday(state: Deciding, candidate: Candidate): Why | null {
  const { id: domainId, transactionalReserve, bulkLimit } = candidate.domain!;
  const day = state.days.get(domainId);
  if (!day) return capIsUsed(state, candidate, null); // Redis denied all of this domain and PostgreSQL's row was full: never locked
  if (isHeldByRules(state, candidate, day))
    return { reason: 'sender_rules', inputs: { bulk_used: day.bulkUsed, bulk_limit: bulkLimit } };
  const bulk = candidate.message.stream === 'bulk';
  const bulkTaken = day.bulkUsed + day.bulkReserved;
  const most = day.cap - reservedFor(state, candidate, day.cap);
  const fits = isUrgent(candidate.message.origin)
    ? day.used < day.cap
    : day.used + day.reserved < most && !(bulk && bulkTaken >= bulkCap(day.cap, transactionalReserve));
  const redis = state.redis.get(domainId);
  if (redis && redis.has(candidate.recipient.id) !== fits) state.disagreements.add(domainId);
  if (!fits) return capIsUsed(state, candidate, day);
  const { id } = candidate.recipient;
  const onRoute = { id, esp: candidate.message.esp };
  if (state.esp && !state.esp.admit(candidate.tenantId, onRoute))
    return { reason: 'esp_cap', inputs: { ...state.esp.numbers(candidate.tenantId, onRoute) } };
  const added = state.admissions.get(domainId) ?? { tenantId: candidate.tenantId, total: 0, bulk: 0 };
  added.total += 1;
  day.used += 1;
  if (bulk) {
    added.bulk += 1;
    day.bulkUsed += 1;
  }
  state.admissions.set(domainId, added);
  state.admitted.add(id);
  return null;
}

// Of the cap of this service's own domain, what others than resets and notices must leave.
function reservedFor({ facts }: Deciding, { domain, message }: Candidate, cap: number): number {
  return domain!.name === facts.systemDomain && !isUrgent(message.origin) ? systemReserve(cap) : 0;
}

// The numbers of a day that is full, or of which campaign mail has its part.
function capIsUsed(state: Deciding, candidate: Candidate, day: LockedDay | null): Why {
  const { domain, message } = candidate;
  const { tier, transactionalReserve, cap, used, reserved } = domain!;
  const now = day ?? { cap: cap ?? capOfTier(tier), used: used ?? 0, reserved: reserved ?? 0 };
  const kept = reservedFor(state, candidate, now.cap);
  const inputs = {
    ...{ stream: message.stream, tier, cap: now.cap, used: now.used, reserved: now.reserved },
    ...(kept > 0 && { system_reserve: kept }),
  };
  if (message.stream !== 'bulk' || day === null) return { reason: 'warmup_cap', inputs };
  const bulk = { bulk_used: day.bulkUsed, bulk_cap: bulkCap(day.cap, transactionalReserve) };
  return { reason: 'warmup_cap', inputs: { ...inputs, ...bulk } };
}

function scheduled(at: Date): Why {
  return { reason: 'scheduled', inputs: { scheduled_at: at.toISOString() } };
}

// Campaign mail over the limit of the sender rules, though the cap has room for it.
function isHeldByRules(state: Deciding, candidate: Candidate, day: LockedDay): boolean {
  const { domain, message, recipient } = candidate;
  const { id, bulkLimit, transactionalReserve } = domain!;
  if (message.stream !== 'bulk' || bulkLimit === null || day.bulkUsed + day.bulkReserved < bulkLimit)
    return false;
  const most = day.cap - reservedFor(state, candidate, day.cap);
  if (day.used + day.reserved >= most || bulkLimit >= bulkCap(day.cap, transactionalReserve)) return false;
  if (state.redis.get(id)?.has(recipient.id)) state.disagreements.add(id);
  return true;
}

// Claimed at once when this process can deliver it now.
function queue(state: Deciding, candidate: Candidate): Accepted {
  const { clock } = state.facts;
  const { tenantId } = candidate;
  const ownCapacity = state.capacityOf.get(tenantId) ?? 0;
  const claimed = state.capacity[candidate.message.stream] > 0 && ownCapacity > 0;
  const day = state.days.get(candidate.domain!.id)!; // it was admitted there, as the last one so far
  const row: MessageRow = {
    ...newMessageRow(candidate, state.stored),
    state: claimed ? 'sending' : 'queued',
    nextAttemptAt: clock.now,
    admittedDay: clock.day,
    expiresAt: new Date(clock.now.getTime() + state.maxAgeMs),
    claimVersion: claimed ? 1 : 0,
    claimedBy: claimed ? state.workerId : null,
    dayTier: candidate.domain!.tier,
    dayCap: day.cap,
    dayUsed: day.used,
    dayReserved: day.reserved,
  };
  state.rows.push(row);
  if (claimed) {
    state.capacity.transactional -= 1;
    state.capacity.bulk -= 1;
    state.capacityOf.set(tenantId, ownCapacity - 1);
    state.claims.push(newClaim(row, candidate.message.content, clock.now));
  } else {
    state.unclaimed += 1;
  }
  return { ...startAnswer(state, candidate), status: 'queued' };
}

function defer(state: Deciding, candidate: Candidate, { reason, inputs }: Why, until: Date): Accepted {
  state.rows.push({
    ...newMessageRow(candidate, state.stored),
    state: 'deferred',
    reason,
    deferReason: reason,
    deferredUntil: until,
    decisions: [firstDecision(state, reason, inputs)],
  });
  const deferredUntil = until.toISOString();
  state.events.push(newEvent(candidate, 'deferred', { reason, deferred_until: deferredUntil }));
  return { ...startAnswer(state, candidate), status: 'deferred', reason, deferredUntil };
}

function drop(state: Deciding, candidate: Candidate): Accepted {
  state.rows.push({
    ...newMessageRow(candidate, state.stored),
    state: 'dropped',
    reason: 'suppressed',
    finishedAt: state.facts.clock.now,
    decisions: [firstDecision(state, 'suppressed', { stream: candidate.suppressedIn })],
  });
  state.events.push(newEvent(candidate, 'dropped', { reason: 'suppressed' }));
  return { ...startAnswer(state, candidate), status: 'dropped', reason: 'suppressed' };
}

function firstDecision(state: Deciding, rule: Why['reason'] | 'suppressed', inputs: DecisionInputs) {
  return { rule, at: state.facts.clock.now.toISOString(), attempts: 0, inputs };
}

function startAnswer(state: Deciding, { recipient, domain }: Candidate): Accepted {
  const day = state.days.get(domain!.id);
  const warmup = day ? { tier: domain!.tier, cap: day.cap, used: day.used } : warmupUse(domain!);
  const { id } = recipient;
  return { ok: true, id, status: 'queued', reason: null, deferredUntil: null, domain: domain!.name, warmup };
}
