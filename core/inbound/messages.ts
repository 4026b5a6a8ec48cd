// What a tenant's people and programs do with received messages.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { deleteInbound, markInbound } from './message-store.ts';

/** Marks a message as read or unread; reading mail is not recorded in the audit log. Throws not_found. */
export async function markMessage(db: Database, tenantId: string, id: string, read: boolean): Promise<void> {
  if (!(await markInbound(db.pool, tenantId, id, read))) throw notFound('message');
}

/** Deletes a message; a webhook delivery in progress continues. Throws not_found. */
export async function deleteMessage(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    if (!(await deleteInbound(client, tenantId, id))) throw notFound('message');
    await record({ tenantId, action: 'inbound_message.deleted', subject: toId('inm', id) });
  });
}
