// Cancels a message that still waits.

import type { Actor } from '../audit/actor.ts';
import { change, type LiveChangeDeps } from '../audit/change.ts';
import { AppError, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { cancelWaiting } from './cancel-store.ts';
import { insertEvents } from './event-store.ts';
import { selectMessage } from './message-store.ts';
import type { MessageState } from './states.ts';

/** Cancels it with its event. Throws not_found, or conflict when it does not wait any more. */
export async function cancelMessage(
  deps: LiveChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    const cancelled = await cancelWaiting(client, tenantId, id);
    if (!cancelled) {
      const message = await selectMessage(client, tenantId, id);
      throw message ? notWaiting(message.status) : notFound('message');
    }
    const { domainId, campaignId, rcptTo: recipient } = cancelled;
    const of = { tenantId, messageId: id, domainId, campaignId, recipient };
    await insertEvents(client, [{ id: newUuid(), type: 'cancelled', ...of, data: {} }]);
    await record({
      tenantId,
      action: 'message.cancelled',
      subject: toId('msg', id),
      topic: 'messages',
    });
  });
}

function notWaiting(status: MessageState): AppError {
  const why = status === 'deferred' ? 'is being sent right now' : `is ${status}`;
  return new AppError('conflict', `Only a deferred message can be cancelled. This one ${why}.`);
}
