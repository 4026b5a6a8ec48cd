// Delivers one claimed message: may it still go, what does it say, where does it go, what did the peer answer.
// Guarantee: it ends in exactly one outcome to record, or in none (null) when it is no longer ours to decide.
// Dies between the peer's 250 and our record: docs/crashes.md, row "deliver.after-dot".

import { monotonicMs } from '../../core/base/clock.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import { normalizeEmail } from '../../core/mail/address.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import type { SuppressionCheck } from '../../core/suppression/is-suppressed.ts';
import type { Lease } from '../../core/worker/lease.ts';
import type { Composed, SigningIdentity } from './compose-outgoing.ts';
import { conclude } from './conclude.ts';
import { jittered } from './retry-schedule.ts';
import type { Destination, Held } from '../smtp/destination.ts';
import type { Failed } from '../smtp/failure.ts';
import { sendEnvelope, type Sent } from '../smtp/send-envelope.ts';

/** The sending domain as delivery sees it. */
export interface SendingDomain extends SigningIdentity {
  status: 'pending' | 'verified' | 'failed';
  paused: boolean;
}

/** What delivering one message needs. */
export interface DeliverDeps {
  lease: Pick<Lease, 'holds' | 'databaseNow'>;
  domains: { get(tenantId: string, domainId: string): Promise<SendingDomain | null> };
  suppressions: SuppressionCheck;
  compose: (claim: Claim, domain: SigningIdentity, now: Date) => Promise<Composed>;
  fail: Fail;
  random: () => number;
  /** Factor on all waiting times; 1 but in tests. */
  scale: number;
}

/** Where a message goes: by which route, and to which next hop, or why there is none. */
export interface Way {
  esp: string;
  next: Destination | Failed;
}

const PAUSED_RECHECK_MS = 60_000; // a domain that is resumed sends again within about a minute
const TOO_OLD_MS = 3_600_000; // past the age limit: a last try that comes late is still made, one that much later is not

/** Delivers one message. Throws only when a store is away, or for a bug; then nothing was sent. */
export async function deliverMessage(deps: DeliverDeps, held: Held, way: Way): Promise<Outcome | null> {
  const { claim, workerId } = held;
  deps.fail('deliver.after-claim');
  if (!deps.lease.holds(workerId)) return null;

  const domain = await deps.domains.get(claim.tenantId, claim.domainId);
  if (domain === null) return { kind: 'dropped', claim, reason: 'domain_deleted', detail: null };
  if (domain.status !== 'verified' || domain.paused) return waitForDomain(deps, claim);
  if (isTooOld(deps, claim)) return { kind: 'expired', claim, attempt: null };

  const composed = await deps.compose(claim, domain, deps.lease.databaseNow());
  if (!composed.ok) return { kind: 'dropped', claim, reason: composed.reason, detail: composed.detail };

  const at = deps.lease.databaseNow();
  const startedAt = monotonicMs();
  const sent: Sent =
    'kind' in way.next
      ? { transaction: way.next, mx: null, tls: null }
      : await sendEnvelope(way.next, composed.envelope, checks(deps, held));
  if (sent.transaction.kind === 'abandoned') return null;
  if (sent.transaction.kind === 'stopped')
    return { kind: 'dropped', claim, reason: 'suppressed', detail: null };
  if (sent.transaction.kind === 'delivered') deps.fail('deliver.after-dot');

  const durationMs = Math.round(monotonicMs() - startedAt);
  const tried = { at, durationMs, esp: way.esp, mx: sent.mx, tls: sent.tls };
  const { outcome, bounce } = conclude(claim, sent.transaction, tried, {
    now: deps.lease.databaseNow(),
    random: deps.random,
    scale: deps.scale,
  });
  if (!('kind' in way.next)) learn(way.next, sent.transaction, bounce?.class === 'rate_limited');
  return outcome;
}

function waitForDomain(deps: DeliverDeps, claim: Claim): Outcome {
  if (isTooOld(deps, claim)) return { kind: 'expired', claim, attempt: null };
  const retryInMs = Math.round(jittered(PAUSED_RECHECK_MS, deps.random) * deps.scale);
  return { kind: 'postponed', claim, reason: 'domain_paused', retryInMs };
}

function isTooOld(deps: DeliverDeps, claim: Claim): boolean {
  return deps.lease.databaseNow().getTime() > claim.expiresAt.getTime() + TOO_OLD_MS * deps.scale;
}

function checks(deps: DeliverDeps, { claim, workerId }: Held) {
  return {
    mayStart: async () =>
      !(await deps.suppressions.isSuppressed(claim.tenantId, normalizeEmail(claim.rcptTo))),
    maySend: () => {
      deps.fail('deliver.before-data');
      return deps.lease.holds(workerId);
    },
  };
}

// What the answer says about the destination, whatever it says about the message.
function learn(destination: Destination, transaction: Sent['transaction'], rateLimited: boolean): void {
  const now = monotonicMs();
  const { concurrency, pool } = destination;
  const atTheDoor =
    (transaction.kind === 'failed' && transaction.stage !== 'smtp') ||
    (transaction.kind === 'refused' && transaction.reply.command === 'CONNECT');
  // With other connections up, one that cannot be made is a limit of the peer, not its death.
  if (atTheDoor && pool.size() === 0) return concurrency.unreachable(now);
  const pushedBack =
    atTheDoor ||
    transaction.kind === 'failed' ||
    (transaction.kind === 'refused' && (rateLimited || transaction.reply.code === 421));
  if (pushedBack) concurrency.pushedBack(now);
  else concurrency.worked();
}
