// POST /transactional/{id}/resend and /retry: the same content as a new message, and an attempt at once.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { againInput } from '../../../core/message/send-again-input.ts';
import { sendAgain } from '../../../core/message/send-again.ts';
import { toRefusal } from '../../../core/message/submission.ts';
import { tryNow } from '../../../core/message/try-now.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';
import { messageView, viewMessage } from './get-message.ts';
import { sendAnswer, toSendAnswer } from './send-answer.ts';

const GROUP = 'Messages';

/** POST /transactional/{id}/resend */
export const resendMessage = defineRoute(
  {
    operationId: 'resendMessage',
    method: 'POST',
    path: '/transactional/{id}/resend',
    access: 'transactional:send',
    group: GROUP,
    summary: 'Send a message again',
    description:
      'A new message with the same content, to the same recipient or to `to`. Words of a template are those of the version that ' +
      'it was sent with; its links to follow opens and clicks and to unsubscribe are its own. It counts under the cap and the quota like ' +
      'any other, and is dropped where the recipient is suppressed. 410 `gone` once the content is not kept any more, and for mail ' +
      'of this service itself. Give an `Idempotency-Key` to send it once however often you ask.',
    params: z.object({ id: idInput('msg') }),
    body: { ...jsonBody(againInput), optional: true },
    response: sendAnswer,
    status: 202,
    rateClass: 'send',
    idempotency: 'handler',
    errors: ['gone'],
    quotaHeaders: true,
    example: {},
  },
  async ({ deps, by, caller, params: { id }, body, idempotency, setQuota }) => {
    const answer = await sendAgain(deps, by, caller.tenantId, { id, to: body.to?.text, idempotency });
    setQuota(answer.quota);
    if (!answer.ok) throw toRefusal(answer);
    return { data: toSendAnswer(answer), replayed: answer.replayed };
  },
);

/** POST /transactional/{id}/retry */
export const retryMessage = defineRoute(
  {
    operationId: 'retryMessage',
    method: 'POST',
    path: '/transactional/{id}/retry',
    access: 'transactional:send',
    group: GROUP,
    summary: 'Try a message now',
    description:
      'Only for a message that waits for its next attempt; it is tried within seconds. What waits for the warm-up cap, a brake, a ' +
      'pause or its `scheduled_at` is 409 with the reason, as is one that was tried less than a minute ago.',
    params: z.object({ id: idInput('msg') }),
    response: messageView,
    status: 200,
    quotaHeaders: true,
  },
  async ({ deps, by, caller, params: { id } }) => {
    await tryNow(deps, by, caller.tenantId, id);
    return { data: await viewMessage(deps, caller.tenantId, id) };
  },
);
