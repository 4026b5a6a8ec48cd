// Delivers one claimed message: checks that it may still be sent, composes it, runs one SMTP transaction and decides
// the outcome.
// Guarantee: exactly one outcome to record, or none (null) when the lease was lost and another sender decides. No message
// is sent after the day of its admission, nor while outcomes cannot be recorded.
// Dies between the peer's 250 and our record: docs/crashes.md, row "deliver.after-dot".

import { monotonicMs, nextUtcMidnight, sleep } from '../../core/base/clock.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import { normalizeEmail } from '../../core/mail/address.ts';
import { brakeInputs, type BrakeCause } from '../../core/message/brake-cause.ts';
import type { BrakeState } from '../../core/message/brake-state.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Composed, SigningIdentity } from '../../core/message/compose-outgoing.ts';
import type { DecisionInputs } from '../../core/message/explain-words.ts';
import { isSystem } from '../../core/message/origin.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { stopsMail, type SuppressionCheck } from '../../core/suppression/is-suppressed.ts';
import type { SuppressionStream } from '../../core/suppression/suppression-store.ts';
import type { Lease } from '../../core/worker/lease.ts';
import { decideOutcome } from './decide-outcome.ts';
import type { ProviderGate } from './provider-gate.ts';
import { jittered } from './retry-schedule.ts';
import type { ClaimedMessage, Destination } from '../smtp/destination.ts';
import type { Failed } from '../smtp/failure.ts';
import { notSent, sendEnvelope, type Sent } from '../smtp/send-envelope.ts';

/** The sending domain as delivery sees it. */
interface SendingDomain extends SigningIdentity {
  status: 'pending' | 'verified' | 'failed';
  paused: boolean;
  /** Its tenant is. */
  suspended: boolean;
  brake: BrakeState;
  brakeCause: BrakeCause | null;
  /** The pool (EGRESS_POOLS) that it names for its mail. */
  pool: string | null;
}

/** Waits, for so long at most, until what is claimed under this worker id may be sent. False: it may not. */
export type MaySend = (workerId: string, limitMs: number) => Promise<boolean>;

/** What delivering one message needs. */
export interface DeliverDeps {
  lease: Pick<Lease, 'workerId' | 'holds' | 'databaseNow' | 'isOver'>;
  maySend: MaySend;
  domains: {
    get(tenantId: string, domainId: string): Promise<SendingDomain | null>;
    forget(tenantId: string, domainId: string): void;
  };
  /** Told how TLS went with a mail host of the recipient's domain. */
  noteSession: (route: string, domain: string, sent: Sent) => void;
  suppressions: SuppressionCheck;
  /** Whether this is the message that a domain may send now whose brake is `all`. */
  takeTrickle: (tenantId: string, domainId: string) => Promise<boolean>;
  compose: (claim: Claim, domain: SigningIdentity, now: Date) => Promise<Composed>;
  fail: Fail;
  random: () => number;
  /** Factor on all waiting times; 1 but in tests. */
  scale: number;
}

/** The route of a message by its name, and the next hop there, or why there is none. */
export interface ChosenRoute {
  esp: string;
  next: Destination | Failed;
  /** Of the mailbox provider there, if it is one. */
  gate: ProviderGate | null;
}

const PEER_WAITS_MS = 5_000; // after "go ahead"; a peer gives each block of data three minutes (RFC 5321 4.5.3.2.5)
const FRESH_MS = 50; // a fast peer says "go ahead" within it, and then costs no second look-up
const CONNECTION_WAIT_MS = 5_000; // by then senders have shared what the provider takes
const PAUSED_RECHECK_MS = 60_000; // mail of a domain that is resumed, or of a tenant that is reactivated, is sent within about a minute
const TRICKLE = { soonest: 60_000, latest: 1_800_000 }; // between two looks of a message for its turn
const TOO_OLD_MS = 3_600_000; // past the age limit: a last attempt that is late is still made, one that is later than this is not

/** Delivers one message. Throws only when a store is unavailable, or for a bug; then nothing was sent. */
export async function deliverMessage(
  deps: DeliverDeps,
  message: ClaimedMessage,
  route: ChosenRoute,
): Promise<Outcome | null> {
  const { claim, workerId } = message;
  deps.fail('deliver.after-claim');
  if (!(await deps.maySend(workerId, Infinity))) return notNow(deps, message);
  if (deps.lease.isOver(claim.admittedDay)) return notNow(deps, message);

  const domain = await deps.domains.get(claim.tenantId, claim.domainId);
  if (domain === null) return { kind: 'dropped', claim, reason: 'domain_deleted', detail: null };
  const { status } = domain;
  if (domain.suspended && !isSystem(claim.origin)) return waitForResume(deps, claim, 'tenant_suspended', {});
  if (status !== 'verified' || (domain.paused && !isSystem(claim.origin)))
    return waitForResume(deps, claim, 'domain_paused', { status });
  if (isTooOld(deps, claim)) return { kind: 'expired', claim, attempt: null };
  if (domain.brake !== 'off' && (await isBraked(deps, claim, domain.brake)))
    return waitForBrake(deps, claim, brakeInputs(domain.brake, domain.brakeCause));

  const compose = () => deps.compose(claim, domain, deps.lease.databaseNow());
  const composed = await (message.trace ? message.trace.compose(compose) : compose());
  if (!composed.ok) return { kind: 'dropped', claim, reason: composed.reason, detail: composed.detail };

  const at = deps.lease.databaseNow();
  const startedAt = monotonicMs();
  const checks = createChecks(deps, message, composed.offersUnsubscribe);
  const send = async () =>
    'kind' in route.next ? notSent(route.next, null) : sendEnvelope(route.next, composed.envelope, checks);
  const sent: Sent = await (message.trace ? message.trace.send(route.esp, send) : send());
  deps.noteSession(route.esp, domainOf(claim.rcptTo), sent);
  const suppressedIn = checks.suppressedIn();
  if (suppressedIn !== null)
    return { kind: 'dropped', claim, reason: 'suppressed', detail: null, suppressedIn };
  if (sent.transaction.kind === 'abandoned') return notNow(deps, message);
  if (sent.transaction.kind === 'delivered') deps.fail('deliver.after-dot');

  const durationMs = Math.round(monotonicMs() - startedAt);
  const attempt = { at, durationMs, esp: route.esp, mx: sent.mx, ...endsOf(route), ...tlsOf(sent) };
  const { outcome, bounce } = decideOutcome(claim, sent.transaction, attempt, {
    now: deps.lease.databaseNow(),
    random: deps.random,
    scale: deps.scale,
  });
  // What a provider says of our pace changes its limits, which hold at all of its destinations.
  const asked = 'kind' in route.next ? null : (route.gate?.note(sent.transaction, route.next) ?? null);
  if (asked?.kind === 'connections' && attemptedNothing(sent.transaction))
    return waitForConnection(deps, claim, { provider: attempt.provider, ...route.gate?.takes() });
  if (!('kind' in route.next) && asked === null)
    adaptConcurrency(route.next, sent.transaction, bounce?.class === 'rate_limited');
  return outcome;
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function endsOf({ next }: ChosenRoute) {
  const { provider, source } = 'kind' in next ? { provider: null, source: null } : next;
  return {
    provider: provider?.name ?? null,
    source: source?.address ?? null,
    sourceName: source?.hostname ?? null,
  };
}

function tlsOf({ tls, policy }: Sent) {
  return {
    tls: tls?.version ?? null,
    tlsVerified: tls?.verified ?? null,
    tlsPolicy: policy,
    certificate: tls?.certificate ?? null,
  };
}

// Its day is over (the release takes its admission back, and gives it one of today when the cap allows), or it cannot be
// recorded now, or the lease was lost.
function notNow({ lease }: DeliverDeps, { claim, workerId }: ClaimedMessage): Outcome | null {
  if (lease.workerId() !== workerId) return null;
  const inputs = { day_over: lease.isOver(claim.admittedDay) };
  return { kind: 'postponed', claim, reason: null, retryInMs: 0, because: { rule: 'not_now', inputs } };
}

function waitForResume(
  deps: DeliverDeps,
  claim: Claim,
  reason: 'domain_paused' | 'tenant_suspended',
  inputs: DecisionInputs,
): Outcome {
  if (isTooOld(deps, claim)) return { kind: 'expired', claim, attempt: null };
  const retryInMs = Math.round(jittered(PAUSED_RECHECK_MS, deps.random) * deps.scale);
  return { kind: 'postponed', claim, reason, retryInMs, because: { rule: reason, inputs } };
}

async function isBraked(deps: DeliverDeps, claim: Claim, brake: 'bulk' | 'all'): Promise<boolean> {
  if (isSystem(claim.origin)) return false;
  if (claim.stream === 'bulk') return true;
  return brake === 'all' && !(await deps.takeTrickle(claim.tenantId, claim.domainId));
}

// A connection too many is no attempt: nothing was said of this message.
function attemptedNothing(transaction: Sent['transaction']): boolean {
  return transaction.kind === 'refused' && transaction.reply.command === 'CONNECT';
}

function waitForConnection(deps: DeliverDeps, claim: Claim, takes: DecisionInputs): Outcome {
  if (isTooOld(deps, claim)) return { kind: 'expired', claim, attempt: null };
  const retryInMs = Math.round(jittered(CONNECTION_WAIT_MS, deps.random) * deps.scale);
  const because = { rule: 'provider_limit', inputs: { ...takes, limit: 'refused' } } as const;
  return { kind: 'postponed', claim, reason: 'provider_limit', retryInMs, because };
}

// Campaign mail waits for the end of the day, or the release. Transactional mail asks again for its turn in the trickle: the
// longer it waits the less often, so that a backlog is not claimed over and over.
function waitForBrake(deps: DeliverDeps, claim: Claim, inputs: DecisionInputs): Outcome {
  const now = deps.lease.databaseNow();
  const untilMidnight = nextUtcMidnight(now).getTime() - now.getTime();
  const age = now.getTime() - claim.createdAt.getTime();
  const again =
    jittered(Math.min(Math.max(age / 2, TRICKLE.soonest), TRICKLE.latest), deps.random) * deps.scale;
  const retryInMs = claim.stream === 'bulk' ? untilMidnight : Math.min(Math.round(again), untilMidnight);
  const because = { rule: 'brake', inputs } as const;
  return { kind: 'postponed', claim, reason: 'brake', retryInMs, because };
}

function isTooOld(deps: DeliverDeps, claim: Claim): boolean {
  return deps.lease.databaseNow().getTime() > claim.expiresAt.getTime() + TOO_OLD_MS * deps.scale;
}

// The recipient is looked up before MAIL FROM, and again at the "go ahead" of a peer that took its time. So no message goes
// out later than FRESH_MS after PostgreSQL said that its recipient is not suppressed, and none while it says nothing: what
// is sent then would be sent again if this process died.
function createChecks(
  deps: DeliverDeps,
  { claim, workerId, admission }: ClaimedMessage,
  offersUnsubscribe: boolean,
) {
  let suppressedIn: SuppressionStream | null = null;
  let askedAt = -Infinity;
  const ask = async () => {
    const now = monotonicMs();
    const stream = await deps.suppressions.streamOf(claim.tenantId, normalizeEmail(claim.rcptTo));
    suppressedIn = stream !== null && stopsMail(stream, offersUnsubscribe) ? stream : null;
    askedAt = now;
    return suppressedIn === null;
  };
  const isFree = () => monotonicMs() - askedAt < FRESH_MS || within(PEER_WAITS_MS, ask());
  return {
    suppressedIn: () => suppressedIn,
    mayStart: ask,
    maySend: async () => {
      deps.fail('deliver.before-data');
      const may = (await deps.maySend(workerId, PEER_WAITS_MS)) && (await isFree());
      const isToday =
        !deps.lease.isOver(claim.admittedDay) && !(admission && deps.lease.isOver(admission.day));
      return may && deps.lease.holds(workerId) && isToday;
    },
  };
}

// What it resolves with; false when it rejects or takes longer.
async function within(limitMs: number, asked: Promise<boolean>): Promise<boolean> {
  const stop = new AbortController();
  const late = sleep(limitMs, stop.signal).then(() => false);
  const answer = await Promise.race([asked.catch(() => false), late]);
  stop.abort();
  return answer;
}

// What the transaction says about the destination, whatever it says about the message.
function adaptConcurrency(
  destination: Destination,
  transaction: Sent['transaction'],
  rateLimited: boolean,
): void {
  const now = monotonicMs();
  const { concurrency, pool } = destination;
  const beforeMail =
    (transaction.kind === 'failed' && transaction.stage !== 'smtp') ||
    (transaction.kind === 'refused' && transaction.reply.command === 'CONNECT');
  // With other connections up, one that cannot be made is a limit of the peer, not its death.
  if (beforeMail && pool.size() === 0) {
    const byPolicy = transaction.kind === 'failed' && transaction.policy !== null;
    destination.restReason = byPolicy ? 'tls_policy' : 'network';
    return concurrency.unreachable(now);
  }
  const pushedBack =
    beforeMail ||
    transaction.kind === 'failed' ||
    (transaction.kind === 'refused' && (rateLimited || transaction.reply.code === 421));
  if (pushedBack) concurrency.pushedBack(now);
  else concurrency.worked();
}
