// Cancels messages that still wait.

import type pg from 'pg';

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeEntry, type LiveChangeDeps } from '../audit/change.ts';
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
    const ids = await cancelMessages(client, tenantId, [id]);
    if (ids.length === 0) {
      const message = await selectMessage(client, tenantId, id);
      throw message ? notWaiting(message.status) : notFound('message');
    }
    await record(cancelled(tenantId, id));
  });
}

/** Cancels those of some messages that wait, each with its event and its line in the audit log. */
export async function cancelEach(
  deps: LiveChangeDeps,
  by: Actor,
  tenantId: string,
  ids: string[],
): Promise<void> {
  await change(deps, by, async (client, record) => {
    for (const id of await cancelMessages(client, tenantId, ids)) await record(cancelled(tenantId, id));
  });
}

function cancelled(tenantId: string, id: string): ChangeEntry {
  return { tenantId, action: 'message.cancelled', subject: toId('msg', id), topic: 'messages' };
}

/** Cancels those of some messages that wait, with their events, in a transaction. Returns their ids. */
export async function cancelMessages(
  client: pg.ClientBase,
  tenantId: string,
  ids: string[],
): Promise<string[]> {
  const ended = await cancelWaiting(client, tenantId, ids);
  const events = ended.map(({ id, domainId, campaignId, rcptTo: recipient }) => {
    const of = { tenantId, messageId: id, domainId, campaignId, recipient };
    return { id: newUuid(), type: 'cancelled' as const, ...of, data: {} };
  });
  if (events.length > 0) await insertEvents(client, events);
  return ended.map(({ id }) => id);
}

function notWaiting(status: MessageState): AppError {
  const why = status === 'deferred' ? 'is being sent right now' : `is ${status}`;
  return new AppError('conflict', `Only a deferred message can be cancelled. This one ${why}.`);
}
