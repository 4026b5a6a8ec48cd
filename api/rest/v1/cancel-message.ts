// DELETE /transactional/{id}: cancels a message that is still waiting.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { cancelMessage as cancel } from '../../../core/message/cancel-message.ts';
import { deletedAnswer } from '../deleted.ts';
import { defineRoute } from '../route.ts';

/** DELETE /transactional/{id} */
export const cancelMessage = defineRoute(
  {
    operationId: 'cancelMessage',
    method: 'DELETE',
    path: '/transactional/{id}',
    access: 'transactional:send',
    group: 'Messages',
    summary: 'Cancel a message',
    description: 'Only for a deferred or scheduled message; otherwise 409.',
    params: z.object({ id: idInput('msg') }),
    response: deletedAnswer,
    status: 200,
    quotaHeaders: true,
  },
  async ({ deps, by, caller, params }) => {
    await cancel(deps, by, caller.tenantId, params.id);
    return { data: { id: toId('msg', params.id), deleted: true as const } };
  },
);
