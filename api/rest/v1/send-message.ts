// POST /transactional/send: one message to one recipient or several.

import { nowDate } from '../../../core/base/clock.ts';
import type { Checked } from '../../../core/base/field-problems.ts';
import { countRecipients } from '../../../core/message/mailbox-input.ts';
import { parseSendInput, sendInput, type SendInput } from '../../../core/message/send-input.ts';
import { toRefusal } from '../../../core/message/submission.ts';
import { submitMessage } from '../../../core/message/submit-message.ts';
import { SEND_BODY_BYTES } from '../../read-body.ts';
import { defineRoute } from '../route.ts';
import { sendAnswer, toSendAnswer } from './send-answer.ts';

/** POST /transactional/send */
export const sendMessage = defineRoute(
  {
    operationId: 'sendMessage',
    method: 'POST',
    path: '/transactional/send',
    access: 'transactional:send',
    group: 'Messages',
    summary: 'Send a message',
    description:
      'Each recipient gets a message of its own, with its own id, status and decision; the headers show all of `to` and ' +
      '`cc`, never `bcc`. It counts as many requests, and as many sends of the quota, as it has recipients: when either ' +
      'does not hold all, none is accepted (402, 429). Accepted means stored: the message then ends as delivered, bounced, expired, dropped or cancelled. Once ' +
      'the domain has reached its warm-up cap of the day, the message is deferred to the next day; to a suppressed ' +
      'recipient it is dropped.',
    body: { schema: sendInput, check: checkSend, limitBytes: SEND_BODY_BYTES },
    response: sendAnswer,
    status: 202,
    rateClass: 'send',
    forOneDomain: true,
    cost: countRecipients,
    idempotency: 'handler',
    quotaHeaders: true,
    example: {
      from: 'Shop <orders@example.com>',
      to: 'ann@example.net',
      subject: 'Your order is on its way',
      html: '<p>It left our warehouse <b>this morning</b>.</p>',
    },
  },
  async ({ deps, caller, body, idempotency, setQuota }) => {
    const answer = await submitMessage(deps.sender, {
      tenantId: caller.tenantId,
      onlyDomain: caller.onlyDomain,
      input: body,
      origin: await deps.testOrigin(deps.db.pool, caller.tenantId, body.recipients),
      ...(idempotency && { idempotency }),
    });
    setQuota(answer.quota);
    if (!answer.ok) throw toRefusal(answer);
    return { data: toSendAnswer(answer), replayed: answer.replayed };
  },
);

function checkSend(raw: unknown): Checked<SendInput> {
  const parsed = parseSendInput(raw, nowDate());
  return parsed.ok ? { ok: true, value: parsed.input } : parsed;
}
