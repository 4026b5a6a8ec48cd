// emails.send and batch.send.

import { z } from 'zod';

import { AppError, problemSentence } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { countRecipients } from '../../../core/message/mailbox-input.ts';
import { submitBatch, submitMessage } from '../../../core/message/submit-message.ts';
import { toRefusal, type Refused } from '../../../core/message/submission.ts';
import { jsonBody } from '../../endpoint.ts';
import { RATE_LIMITS } from '../../rate-limit.ts';
import { SEND_BODY_BYTES } from '../../read-body.ts';
import { boundedList } from '../bounded-json.ts';
import { defineEndpoint } from '../service.ts';
import { checkEmail, rename } from './email-input.ts';

/** POST /emails: emails.send */
export const sendEmail = defineEndpoint(
  {
    method: 'POST',
    path: '/emails',
    access: 'transactional:send',
    group: 'Emails',
    body: { schema: z.unknown(), check: checkEmail, limitBytes: SEND_BODY_BYTES },
    status: 200,
    rateClass: 'send',
    forOneDomain: true,
    cost: countRecipients,
    idempotency: 'handler',
  },
  async ({ deps, caller, body, idempotency }) => {
    const answer = await submitMessage(deps.sender, {
      tenantId: caller.tenantId,
      onlyDomain: caller.onlyDomain,
      input: body,
      ...(idempotency && { idempotency }),
    });
    if (!answer.ok) throw toRefusal(renamed(answer));
    return { data: { id: toId('msg', answer.id) }, replayed: answer.replayed };
  },
);

/** Emails of one call: Resend's number, and ours. */
const MAX_BATCH = 100;

const batch = boundedList(z.unknown(), MAX_BATCH)
  .refine((emails) => emails.length > 0, 'must have at least one email')
  .refine((emails) => totalRecipients(emails) <= RATE_LIMITS.send, {
    error: `must have at most ${RATE_LIMITS.send} recipients, which a key may send to in 60 seconds`,
  });

/** POST /emails/batch: batch.send. `x-batch-validation: permissive` sends the good ones, else all are or none is. */
export const sendBatch = defineEndpoint(
  {
    method: 'POST',
    path: '/emails/batch',
    access: 'transactional:send',
    group: 'Emails',
    body: jsonBody(batch, SEND_BODY_BYTES),
    status: 200,
    rateClass: 'send',
    forOneDomain: true,
    cost: batchCost,
    idempotency: 'handler',
  },
  async ({ deps, caller, body, idempotency, header }) => {
    const permissive = header('x-batch-validation') === 'permissive';
    const checked = body.map(checkEmail);
    const errors = checked.flatMap((one, index) =>
      one.ok ? [] : [{ index, message: problemSentence(one.details) }],
    );
    const [first] = errors;
    if (first && !permissive)
      throw new AppError('validation_failed', `Email ${first.index}: ${first.message}`);
    const good = checked.flatMap((one, index) => (one.ok ? [{ index, input: one.value }] : []));
    if (good.length === 0) return { data: { data: [], errors } };
    const answer = await submitBatch(deps.sender, {
      tenantId: caller.tenantId,
      onlyDomain: caller.onlyDomain,
      messages: good.map(({ input }) => ({ input })),
      allOrNone: !permissive,
      ...(idempotency && { idempotency }),
    });
    if (!answer.ok) throw toRefusal(renamed(answer));
    const sent = answer.items.flatMap((item) => (item.ok ? [{ id: toId('msg', item.id) }] : []));
    for (const [at, item] of answer.items.entries())
      if (!item.ok) errors.push({ index: good[at]!.index, message: renamed(item).message });
    errors.sort((one, other) => one.index - other.index);
    return { data: { data: sent, ...(permissive && { errors }) }, replayed: answer.replayed };
  },
);

function renamed(refused: Refused): Refused {
  if (!refused.details) return refused;
  const details = refused.details.map(rename);
  return { ...refused, details, message: problemSentence(details) };
}

function batchCost(raw: unknown): number {
  if (!Array.isArray(raw) || raw.length > MAX_BATCH) return 1;
  const recipients = totalRecipients(raw);
  return recipients > RATE_LIMITS.send ? 1 : Math.max(1, recipients);
}

function totalRecipients(emails: readonly unknown[]): number {
  return emails.reduce<number>((sum, email) => sum + countRecipients(email), 0);
}
