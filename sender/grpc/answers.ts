// Answers of the accepting transaction as proto messages.

import { toId } from '../../core/base/ids.ts';
import type { BatchAnswer, Failure, SendResponse } from '../../core/gen/sender/v1/sender.ts';
import type {
  Decision,
  MessageAnswer,
  QuotaUse,
  Refused,
  SubmissionAnswer,
} from '../../core/message/submission.ts';

/** The answer to a submission of one message: sent or refused, whole or single. */
export type SingleAnswer = { sent: SendResponse } | { failure: Failure };

/** The one answer of a one-message submission. */
export function toSingleAnswer(answer: SubmissionAnswer, clientRef: string): SingleAnswer {
  if (!answer.ok) return { failure: toFailure(answer, answer.quota) };
  const item = answer.items[0]!;
  if (!item.ok) return { failure: toFailure(item, answer.quota) };
  return { sent: toSendResponse(item, clientRef, answer.quota, answer.replayed) };
}

/** One answer of many. */
export function toBatchAnswer(item: MessageAnswer): BatchAnswer {
  if (!item.ok) return { outcome: { $case: 'failure', value: toFailure(item) } };
  return { outcome: { $case: 'sent', value: toSendResponse(item, '', undefined, false) } };
}

/** A refusal. */
export function toFailure(refused: Refused, quota?: QuotaUse): Failure {
  return {
    code: refused.code,
    message: refused.message,
    details: refused.details ?? [],
    retryAfterSeconds: refused.retryAfterSeconds ?? 0,
    quota: toQuota(quota),
  };
}

/** The month's use, if known. */
export function toQuota(quota: QuotaUse | undefined) {
  return quota && { used: BigInt(quota.used), cap: BigInt(quota.cap) };
}

function toSendResponse(
  item: MessageAnswer & { ok: true },
  clientRef: string,
  quota: QuotaUse | undefined,
  replayed: boolean,
): SendResponse {
  return {
    clientRef,
    ...toDecision(item),
    domain: item.domain,
    warmup: item.warmup,
    quota: toQuota(quota),
    replayed,
    recipients: (item.recipients ?? []).map((one) => ({ email: one.email, ...toDecision(one) })),
  };
}

function toDecision({ id, status, reason, deferredUntil }: Decision) {
  return {
    id: toId('msg', id),
    status,
    reason: reason ?? '',
    deferredUntil: deferredUntil === null ? undefined : new Date(deferredUntil),
  };
}
