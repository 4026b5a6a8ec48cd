// POST /transactional/batch: up to 100 messages, each with its own answer, in order.

import { z } from 'zod';

import { nowDate } from '../../../core/base/clock.ts';
import { problemSentence, type FieldProblem } from '../../../core/base/errors.ts';
import { countRecipients } from '../../../core/message/mailbox-input.ts';
import { parseSendInput, sendInput, type SendInput } from '../../../core/message/send-input.ts';
import { submitBatch } from '../../../core/message/submit-message.ts';
import { toRefusal, type Accepted, type Refused } from '../../../core/message/submission.ts';
import { RATE_LIMITS } from '../../rate-limit.ts';
import { SEND_BODY_BYTES } from '../../read-body.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';
import { sendAnswer, toSendAnswer } from './send-answer.ts';

/** Messages of one call; the contract's number. */
const MAX_BATCH = 100;

/** Recipients of one call: more would never fit the rate limit. */
const MAX_RECIPIENTS = RATE_LIMITS.send;

const itemError = z
  .object({
    error: z.string(),
    message: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'BatchItemError', description: 'Why one message of a batch was refused' });

// Items are checked one by one, so that a bad one fails alone; the list itself is checked here.
const shell = z.strictObject({
  messages: z
    .array(z.unknown())
    .min(1)
    .max(MAX_BATCH)
    .refine((messages) => totalRecipients(messages) <= MAX_RECIPIENTS, {
      error: ({ input }) =>
        `has ${totalRecipients(input as unknown[])} recipients, and a key may send to ${MAX_RECIPIENTS} in 60 seconds: split it`,
    }),
});
const documented = z.strictObject({
  messages: z
    .array(
      z.union([
        sendInput,
        z.unknown().meta({ description: 'an item that is not valid gets its own error in the answer' }),
      ]),
    )
    .min(1)
    .max(MAX_BATCH),
});

/** POST /transactional/batch */
export const sendBatch = defineRoute(
  {
    operationId: 'sendBatch',
    method: 'POST',
    path: '/transactional/batch',
    access: 'transactional:send',
    group: 'Messages',
    summary: 'Send up to 100 messages',
    description:
      'Each message has its own answer or error, in order. A batch counts as many requests as it has ' +
      `recipients, ${MAX_RECIPIENTS} at most. If the quota is already used up, the whole batch is refused with 402; an ` +
      'item whose recipients it does not all hold is refused alone.',
    body: { ...jsonBody(shell, SEND_BODY_BYTES), schema: documented },
    response: z.object({ items: z.array(z.union([sendAnswer, itemError])) }),
    status: 202,
    rateClass: 'send',
    forOneDomain: true,
    cost: batchCost,
    idempotency: 'handler',
    quotaHeaders: true,
    example: {
      messages: [
        { from: 'orders@example.com', to: 'ann@example.net', subject: 'Hello Ann', text: 'Hello.' },
        { from: 'orders@example.com', to: 'bob@example.net', subject: 'Hello Bob', text: 'Hello.' },
      ],
    },
  },
  async ({ deps, caller, body, idempotency, setQuota }) => {
    const now = nowDate();
    const parsed = body.messages.map((raw) => parseSendInput(raw, now));
    const good = parsed.flatMap((item) => (item.ok ? [{ input: item.input satisfies SendInput }] : []));
    let taken: (Accepted | Refused)[] = [];
    let replayed = false;
    if (good.length > 0) {
      const answer = await submitBatch(deps.sender, {
        tenantId: caller.tenantId,
        onlyDomain: caller.onlyDomain,
        messages: good,
        ...(idempotency && { idempotency }),
      });
      setQuota(answer.quota);
      if (!answer.ok) throw toRefusal(answer);
      taken = answer.items;
      replayed = answer.replayed;
    }
    const answers = taken.values();
    const items = parsed.map((item) => (item.ok ? toItem(answers.next().value) : badItem(item.details)));
    return { data: { items }, replayed };
  },
);

function batchCost(raw: unknown): number {
  const messages = (raw as { messages?: unknown } | null)?.messages;
  if (!Array.isArray(messages) || messages.length > MAX_BATCH) return 1;
  const recipients = totalRecipients(messages);
  return recipients > MAX_RECIPIENTS ? 1 : Math.max(1, recipients);
}

function totalRecipients(messages: unknown[]): number {
  return messages.reduce<number>((sum, message) => sum + countRecipients(message), 0);
}

function toItem(answer: Accepted | Refused | undefined) {
  if (!answer) return { error: 'internal_error', message: 'No result for this message.' };
  if (answer.ok) return toSendAnswer(answer);
  return {
    error: answer.code,
    message: answer.message,
    ...(answer.details && { details: answer.details }),
  };
}

function badItem(details: FieldProblem[]) {
  return { error: 'validation_failed', message: problemSentence(details), details };
}
