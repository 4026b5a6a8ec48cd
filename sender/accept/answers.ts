// The answers and refusals of accepting.

import type { ErrorCode } from '../../core/base/errors.ts';
import type { DomainFacts, ExistingMessage } from '../../core/message/accept-facts-store.ts';
import type {
  Accepted,
  MessageAnswer,
  NewRecipient,
  QuotaUse,
  Refused,
  WarmupUse,
} from '../../core/message/submission.ts';
import { capOfTier } from '../../core/warmup/tiers.ts';

/** A refusal of one message or of a whole submission. */
export function refusal(code: ErrorCode, message: string): Refused {
  return { ok: false, code, message };
}

/** The refusal of a message that the monthly cap does not hold, with how many recipients it has that count. */
export function quotaExceeded({ used, cap }: QuotaUse, recipients: number): Refused {
  const left = Math.max(0, cap - used);
  const problem =
    left === 0
      ? `The monthly quota of ${cap} sends is used up.`
      : `The monthly quota of ${cap} sends has ${left} left, and this message has ${recipients} recipients: none was sent.`;
  const resets = 'It resets on the first of next month, 00:00 UTC; a larger plan takes effect at once.';
  return refusal('quota_exceeded', `${problem} ${resets}`);
}

/** The use of the day's cap that an answer shows; the tier's cap while today has no row yet. */
export function warmupUse(domain: DomainFacts): WarmupUse {
  return { tier: domain.tier, cap: domain.cap ?? capOfTier(domain.tier), used: domain.used ?? 0 };
}

/** The answer for a message: that for its one recipient, or that for its first with all of them. */
export function joinAnswers(recipients: { recipient: NewRecipient }[], answers: Accepted[]): Accepted {
  const first = answers[0]!;
  if (answers.length === 1) return first;
  const all = answers.map(({ id, status, reason, deferredUntil }, i) => {
    return { email: recipients[i]!.recipient.rcptTo, id, status, reason, deferredUntil };
  });
  return { ...first, recipients: all };
}

/** The refusal of a message id under which something else is stored. */
export function idInUse(): Refused {
  return refusal('conflict', 'This message id is in use; omit it or generate a new one.');
}

/** Repeats the first answer for an id that is stored already. An id of another tenant is a conflict. */
export function answerAgain(
  existing: ExistingMessage,
  tenantId: string,
  domain: DomainFacts | null,
): MessageAnswer {
  if (existing.tenantId !== tenantId || domain === null) {
    return idInUse();
  }
  const answer = { ok: true as const, id: existing.id, domain: domain.name, warmup: warmupUse(domain) };
  const deferredUntil = existing.deferredUntil?.toISOString() ?? null;
  // `reason` is what the submission answered, whatever became of the message since.
  switch (existing.reason) {
    case null:
      return { ...answer, status: 'queued', reason: null, deferredUntil: null };
    case 'suppressed':
      return { ...answer, status: 'dropped', reason: 'suppressed', deferredUntil: null };
    default:
      return { ...answer, status: 'deferred', reason: existing.reason, deferredUntil };
  }
}
