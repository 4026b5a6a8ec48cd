// emails.send and batch.send.

import { z } from 'zod';

import { toId } from '../../../core/base/ids.ts';
import { countRecipients } from '../../../core/message/mailbox-input.ts';
import { submitMessage } from '../../../core/message/submit-message.ts';
import { toRefusal } from '../../../core/message/submission.ts';
import { SEND_BODY_BYTES } from '../../read-body.ts';
import { defineEndpoint } from '../service.ts';
import { checkEmail } from './email-input.ts';

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
    cost: countRecipients,
    idempotency: 'handler',
  },
  async ({ deps, caller, body, idempotency }) => {
    const answer = await submitMessage(deps.sender, {
      tenantId: caller.tenantId,
      input: body,
      ...(idempotency && { idempotency }),
    });
    if (!answer.ok) throw toRefusal(answer);
    return { data: { id: toId('msg', answer.id) }, replayed: answer.replayed };
  },
);
