// Cancels a message that still waits.

import type pg from 'pg';

import { AppError } from '../base/errors.ts';
import { newUuid } from '../base/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { cancelWaiting } from './cancel-store.ts';
import { insertEvents } from './event-store.ts';
import { selectMessage } from './message-store.ts';
import type { MessageState } from './states.ts';

/** Cancels it with its event, in one transaction; or says in which state it cannot be cancelled. */
export async function cancelMessage(
  pool: pg.Pool,
  tenantId: string,
  id: string,
): Promise<'cancelled' | 'not_found' | { status: MessageState }> {
  return inTransaction(pool, async (client) => {
    const cancelled = await cancelWaiting(client, tenantId, id);
    if (!cancelled) {
      const message = await selectMessage(client, tenantId, id);
      return message ? { status: message.status } : 'not_found';
    }
    const { domainId, campaignId, rcptTo: recipient } = cancelled;
    const event = {
      id: newUuid(),
      tenantId,
      type: 'cancelled' as const,
      messageId: id,
      domainId,
      campaignId,
    };
    await insertEvents(client, [{ ...event, recipient, data: {} }]);
    return 'cancelled';
  });
}

/** The refusal for a message that is past cancelling. */
export function notWaiting(status: string): AppError {
  const why = status === 'deferred' ? 'is being sent right now' : `is ${status}`;
  return new AppError('conflict', `Only a deferred message can be cancelled; this one ${why}.`);
}
