// The answers and refusals of accepting.

import type { ErrorCode } from '../../core/base/errors.ts';
import type { DomainFacts, ExistingMessage } from '../../core/message/accept-facts-store.ts';
import type {
  MessageAnswer,
  NewMessage,
  QuotaUse,
  Refused,
  WarmupUse,
} from '../../core/message/submission.ts';
import { capOfTier } from '../../core/warmup/tiers.ts';

/** A refusal of one message or of a whole submission. */
export function refusal(code: ErrorCode, message: string): Refused {
  return { ok: false, code, message };
}

/** The refusal at the monthly cap. */
export function quotaExceeded(quota: QuotaUse): Refused {
  const resets = 'It resets on the first of next month, 00:00 UTC; a larger plan takes effect at once.';
  return refusal('quota_exceeded', `The monthly quota of ${quota.cap} sends is used up. ${resets}`);
}

/** The use of the day's cap that an answer shows; the tier's cap while today has no row yet. */
export function warmupUse(domain: DomainFacts): WarmupUse {
  return { tier: domain.tier, cap: domain.cap ?? capOfTier(domain.tier), used: domain.used ?? 0 };
}

/** Repeats the first answer for an id that is stored already. An id of another tenant is a conflict. */
export function answerAgain(
  existing: ExistingMessage,
  tenantId: string,
  message: NewMessage,
  domain: DomainFacts | null,
): MessageAnswer {
  if (existing.tenantId !== tenantId || domain === null) {
    return refusal('conflict', 'This message id is in use; omit it or generate a new one.');
  }
  const answer = { ok: true as const, id: message.id, domain: domain.name, warmup: warmupUse(domain) };
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
