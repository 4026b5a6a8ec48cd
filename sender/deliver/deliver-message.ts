// Delivers one claimed message: checks that it may still be sent, composes it, runs one SMTP transaction and decides
// the outcome.
// Guarantee: exactly one outcome to record, or none (null) when the lease was lost and another sender decides. No message
// is sent after the day of its admission.
// Dies between the peer's 250 and our record: docs/crashes.md, row "deliver.after-dot".

import { monotonicMs } from '../../core/base/clock.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import { normalizeEmail } from '../../core/mail/address.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import type { SuppressionCheck } from '../../core/suppression/is-suppressed.ts';
import type { Lease } from '../../core/worker/lease.ts';
import type { Composed, SigningIdentity } from './compose-outgoing.ts';
import { decideOutcome } from './decide-outcome.ts';
import { jittered } from './retry-schedule.ts';
import type { ClaimedMessage, Destination } from '../smtp/destination.ts';
import type { Failed } from '../smtp/failure.ts';
import { sendEnvelope, type Sent } from '../smtp/send-envelope.ts';

/** The sending domain as delivery sees it. */
interface SendingDomain extends SigningIdentity {
  status: 'pending' | 'verified' | 'failed';
  paused: boolean;
}

/** What delivering one message needs. */
export interface DeliverDeps {
  lease: Pick<Lease, 'holds' | 'databaseNow' | 'isOver'>;
  domains: { get(tenantId: string, domainId: string): Promise<SendingDomain | null> };
  suppressions: SuppressionCheck;
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
}

const PAUSED_RECHECK_MS = 60_000; // a domain that is resumed sends again within about a minute
const TOO_OLD_MS = 3_600_000; // past the age limit: a last attempt that is late is still made, one that is later than this is not

/** Delivers one message. Throws only when a store is unavailable, or for a bug; then nothing was sent. */
export async function deliverMessage(
  deps: DeliverDeps,
  message: ClaimedMessage,
  route: ChosenRoute,
): Promise<Outcome | null> {
  const { claim, workerId } = message;
  deps.fail('deliver.after-claim');
  if (!deps.lease.holds(workerId)) return null;
  if (deps.lease.isOver(claim.admittedDay)) return needsAdmission(claim);

  const domain = await deps.domains.get(claim.tenantId, claim.domainId);
  if (domain === null) return { kind: 'dropped', claim, reason: 'domain_deleted', detail: null };
  if (domain.status !== 'verified' || domain.paused) return waitForDomain(deps, claim);
  if (isTooOld(deps, claim)) return { kind: 'expired', claim, attempt: null };

  const composed = await deps.compose(claim, domain, deps.lease.databaseNow());
  if (!composed.ok) return { kind: 'dropped', claim, reason: composed.reason, detail: composed.detail };

  const at = deps.lease.databaseNow();
  const startedAt = monotonicMs();
  const sent: Sent =
    'kind' in route.next
      ? { transaction: route.next, mx: null, tls: null }
      : await sendEnvelope(route.next, composed.envelope, checks(deps, message));
  if (sent.transaction.kind === 'abandoned') return deps.lease.holds(workerId) ? needsAdmission(claim) : null;
  if (sent.transaction.kind === 'stopped')
    return { kind: 'dropped', claim, reason: 'suppressed', detail: null };
  if (sent.transaction.kind === 'delivered') deps.fail('deliver.after-dot');

  const durationMs = Math.round(monotonicMs() - startedAt);
  const attempt = { at, durationMs, esp: route.esp, mx: sent.mx, tls: sent.tls };
  const { outcome, bounce } = decideOutcome(claim, sent.transaction, attempt, {
    now: deps.lease.databaseNow(),
    random: deps.random,
    scale: deps.scale,
  });
  if (!('kind' in route.next))
    adaptConcurrency(route.next, sent.transaction, bounce?.class === 'rate_limited');
  return outcome;
}

// Its day is over: the release takes its admission back, and gives it one of today when there is room.
function needsAdmission(claim: Claim): Outcome {
  return { kind: 'postponed', claim, reason: null, retryInMs: 0 };
}

function waitForDomain(deps: DeliverDeps, claim: Claim): Outcome {
  if (isTooOld(deps, claim)) return { kind: 'expired', claim, attempt: null };
  const retryInMs = Math.round(jittered(PAUSED_RECHECK_MS, deps.random) * deps.scale);
  return { kind: 'postponed', claim, reason: 'domain_paused', retryInMs };
}

function isTooOld(deps: DeliverDeps, claim: Claim): boolean {
  return deps.lease.databaseNow().getTime() > claim.expiresAt.getTime() + TOO_OLD_MS * deps.scale;
}

function checks(deps: DeliverDeps, { claim, workerId }: ClaimedMessage) {
  return {
    mayStart: async () =>
      !(await deps.suppressions.isSuppressed(claim.tenantId, normalizeEmail(claim.rcptTo))),
    maySend: () => {
      deps.fail('deliver.before-data');
      return deps.lease.holds(workerId) && !deps.lease.isOver(claim.admittedDay);
    },
  };
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
  if (beforeMail && pool.size() === 0) return concurrency.unreachable(now);
  const pushedBack =
    beforeMail ||
    transaction.kind === 'failed' ||
    (transaction.kind === 'refused' && (rateLimited || transaction.reply.code === 421));
  if (pushedBack) concurrency.pushedBack(now);
  else concurrency.worked();
}
