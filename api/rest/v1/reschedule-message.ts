// PATCH /transactional/{id}: moves a scheduled message to another time.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { rescheduleMessage as reschedule } from '../../../core/message/reschedule-message.ts';
import { messageChange } from '../../../core/message/scheduled-at.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';
import { messageView, viewMessage } from './get-message.ts';

/** PATCH /transactional/{id} */
export const rescheduleMessage = defineRoute(
  {
    operationId: 'rescheduleMessage',
    method: 'PATCH',
    path: '/transactional/{id}',
    access: 'transactional:send',
    group: 'Messages',
    summary: 'Move a scheduled message',
    description:
      'Only for a message that waits for its `scheduled_at`; otherwise 409. A time more than a minute in the past is 422.',
    params: z.object({ id: idInput('msg') }),
    body: jsonBody(messageChange),
    response: messageView,
    status: 200,
    quotaHeaders: true,
    example: { scheduled_at: '2030-06-01T08:00:00Z' },
  },
  async ({ deps, by, caller, params: { id }, body }) => {
    await reschedule(deps, by, caller.tenantId, id, body.scheduled_at);
    return { data: await viewMessage(deps, caller.tenantId, id) };
  },
);
