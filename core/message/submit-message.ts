// The one way to submit mail, for REST, GraphQL and campaigns alike: the input goes to a sender, the answer comes
// back as a value.

import { AppError, isErrorCode, type ErrorCode, type FieldProblem } from '../base/errors.ts';
import { fromId, newUuid, toId } from '../base/ids.ts';
import { contextOf, endAfter, isTracing, startSpan, type TraceContext } from '../base/trace.ts';
import type { SenderClient } from '../clients/sender.ts';
import type {
  Failure,
  QuotaUse as QuotaReply,
  RecipientAnswer,
  SendResponse,
} from '../gen/sender/v1/sender.ts';
import type { Origin } from './origin.ts';
import { toOutgoing, type CampaignOrigin } from './outgoing.ts';
import type { SendInput } from './send-input.ts';
import type { Accepted, Decision, IdempotencyKey, QuotaUse, Refused } from './submission.ts';
import { decisionAttributes, decisionCounts, messagingAttributes } from './trace-attributes.ts';

/** The answer for one message. `quota` is there when the sender got as far as counting. */
export type SubmitAnswer =
  | (Accepted & { quota: QuotaUse | null; replayed: boolean })
  | (Refused & { quota: QuotaUse | null });

/** The answers for a batch, in order; or one refusal of the whole. */
export type BatchAnswer =
  | { ok: true; items: (Accepted | Refused)[]; quota: QuotaUse | null; replayed: boolean }
  | (Refused & { quota: QuotaUse | null });

/** One message to submit. */
export interface Submit {
  /** UUID. */
  tenantId: string;
  /** The only domain that the caller may send from, or null: any of the tenant's. */
  onlyDomain: string | null;
  input: SendInput;
  idempotency?: IdempotencyKey;
  campaign?: CampaignOrigin;
  /** As in SubmitBatch. */
  origin?: Origin;
  signal?: AbortSignal;
}

/** Messages to submit together. */
export interface SubmitBatch {
  tenantId: string;
  /** As in Submit. */
  onlyDomain: string | null;
  /** `id`: a UUIDv7 of the caller's when a crash may make it submit the same message again. */
  messages: { input: SendInput; campaign?: CampaignOrigin; id?: string }[];
  /** Nobody is shown what they say, and it is deleted when they have ended. */
  confidential?: boolean;
  /** Where they came from, unless that is a campaign or the API. */
  origin?: Origin;
  idempotency?: IdempotencyKey;
  /** Where one message is refused, all are, with the refusal of that one. */
  allOrNone?: boolean;
}

/** Submits one message. Expected refusals are answers; rejects with AppError only when the caller's signal aborts. */
export function submitMessage(sender: SenderClient, submit: Submit): Promise<SubmitAnswer> {
  const span = startSending(submit.tenantId, [submit]);
  return endAfter(span, submitOne(sender, submit, contextOf(span)), decisionAttributes);
}

async function submitOne(
  sender: SenderClient,
  submit: Submit,
  trace: TraceContext | undefined,
): Promise<SubmitAnswer> {
  const request = {
    tenantId: toId('tnt', submit.tenantId),
    clientRef: '',
    messageId: toId('msg', newUuid()),
    message: { ...toOutgoing(submit.input, submit.campaign, submit.origin), trace },
    idempotency: submit.idempotency,
    onlyDomain: submit.onlyDomain ?? undefined,
  };
  try {
    const { outcome } = await sender.send(request, submit.signal);
    if (outcome?.$case === 'sent') return { ...toAccepted(outcome.value), ...use(outcome.value) };
    if (outcome?.$case === 'failure')
      return { ...toRefused(outcome.value), quota: toQuota(outcome.value.quota) };
    return {
      ok: false,
      code: 'internal_error',
      message: 'The sender returned no result for this message.',
      quota: null,
    };
  } catch (error) {
    return { ...refusalOf(error), quota: null };
  }
}

/** Submits 1 to 1000 messages in one commit. */
export function submitBatch(
  sender: Pick<SenderClient, 'sendBatch'>,
  batch: SubmitBatch,
): Promise<BatchAnswer> {
  const span = startSending(batch.tenantId, batch.messages);
  return endAfter(span, submitTogether(sender, batch, contextOf(span)), (answer) =>
    answer.ok ? decisionCounts(answer.items) : decisionAttributes(answer),
  );
}

// The span that makes messages, and that of every delivery is linked to (OpenTelemetry's conventions for messaging).
function startSending(tenantId: string, messages: readonly { campaign?: CampaignOrigin }[]) {
  if (!isTracing()) return undefined;
  const stream = messages[0]?.campaign ? 'bulk' : 'transactional';
  return startSpan(`send ${stream}`, {
    kind: 'producer',
    attributes: messagingAttributes('send', stream, tenantId, messages.length),
  });
}

async function submitTogether(
  sender: Pick<SenderClient, 'sendBatch'>,
  batch: SubmitBatch,
  trace: TraceContext | undefined,
): Promise<BatchAnswer> {
  const messages = batch.messages.map(({ input, campaign, id }) => ({
    messageId: toId('msg', id ?? newUuid()),
    message: {
      ...toOutgoing(input, campaign, batch.origin),
      confidential: batch.confidential ?? false,
      trace,
    },
  }));
  try {
    const answer = await sender.sendBatch({
      tenantId: toId('tnt', batch.tenantId),
      messages,
      idempotency: batch.idempotency,
      allOrNone: batch.allOrNone ?? false,
      onlyDomain: batch.onlyDomain ?? undefined,
    });
    if (answer.refused) return { ...toRefused(answer.refused), quota: toQuota(answer.quota) };
    const items = answer.items.map(({ outcome }) => {
      if (outcome?.$case === 'sent') return toAccepted(outcome.value);
      return toRefused(outcome!.value);
    });
    return { ok: true, items, quota: toQuota(answer.quota), replayed: answer.replayed };
  } catch (error) {
    return { ...refusalOf(error), quota: null };
  }
}

function use(sent: SendResponse): { quota: QuotaUse | null; replayed: boolean } {
  return { quota: toQuota(sent.quota), replayed: sent.replayed };
}

function toAccepted(sent: SendResponse): Accepted {
  return {
    ok: true,
    ...toDecision(sent),
    domain: sent.domain,
    warmup: sent.warmup ?? { tier: 0, cap: 0, used: 0 },
    ...(sent.recipients.length > 0 && {
      recipients: sent.recipients.map((one) => ({ email: one.email, ...toDecision(one) })),
    }),
  };
}

function toDecision(sent: SendResponse | RecipientAnswer): Decision {
  return {
    id: fromId('msg', sent.id) ?? '',
    status: sent.status as Decision['status'],
    reason: sent.reason === '' ? null : (sent.reason as Decision['reason']),
    deferredUntil: sent.deferredUntil?.toISOString() ?? null,
  };
}

function toRefused(failure: Failure): Refused {
  const code: ErrorCode = isErrorCode(failure.code) ? failure.code : 'internal_error';
  return refused(code, failure.message, failure.details, failure.retryAfterSeconds || undefined);
}

function refusalOf(error: unknown): Refused {
  if (!(error instanceof AppError)) throw error;
  return refused(error.code, error.message, error.details ?? [], error.retryAfterSeconds);
}

function refused(
  code: ErrorCode,
  message: string,
  details: FieldProblem[],
  retryAfterSeconds?: number,
): Refused {
  return {
    ok: false,
    code,
    message,
    ...(details.length > 0 ? { details } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function toQuota(quota: QuotaReply | undefined): QuotaUse | null {
  return quota ? { used: Number(quota.used), cap: Number(quota.cap) } : null;
}
