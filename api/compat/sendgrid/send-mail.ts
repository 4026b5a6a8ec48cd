// POST /v3/mail/send: what the official clients' `send` calls.

import { z } from 'zod';

import { nowDate } from '../../../core/base/clock.ts';
import { toId } from '../../../core/base/ids.ts';
import { submitBatch, submitMessage } from '../../../core/message/submit-message.ts';
import { toRefusal } from '../../../core/message/submission.ts';
import { SEND_BODY_BYTES } from '../../read-body.ts';
import { defineEndpoint } from '../service.ts';
import { countMail, readMail } from './read-mail.ts';

/** POST /v3/mail/send: one message for each personalization, all of them accepted or none. */
export const sendMail = defineEndpoint(
  {
    method: 'POST',
    path: '/v3/mail/send',
    access: 'transactional:send',
    group: 'Mail',
    body: { schema: z.unknown(), check: (raw) => readMail(raw, nowDate()), limitBytes: SEND_BODY_BYTES },
    status: 202,
    rateClass: 'send',
    forOneDomain: true,
    cost: countMail,
    idempotency: 'handler',
  },
  async ({ deps, caller: { tenantId, onlyDomain }, body: { sandbox, inputs }, idempotency }) => {
    if (sandbox) return { data: undefined, status: 200 };
    const [only] = inputs;
    const key = idempotency && { idempotency };
    if (inputs.length === 1) {
      const answer = await submitMessage(deps.sender, { tenantId, onlyDomain, input: only!, ...key });
      if (!answer.ok) throw toRefusal(answer);
      return accepted(answer.id, answer.replayed);
    }
    const messages = inputs.map((input) => ({ input }));
    const answer = await submitBatch(deps.sender, {
      tenantId,
      onlyDomain,
      messages,
      allOrNone: true,
      ...key,
    });
    if (!answer.ok) throw toRefusal(answer);
    const [first] = answer.items;
    if (!first?.ok) throw new Error('a batch that is accepted as a whole has an id for each message');
    return accepted(first.id, answer.replayed);
  },
);

function accepted(id: string, replayed: boolean) {
  return { data: undefined, replayed, headers: { 'X-Message-Id': toId('msg', id) } };
}
