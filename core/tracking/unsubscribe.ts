// Unsubscribing: the suppression and the event in one transaction. The contact is marked in the same one, by what
// watches the suppression list (0004_audience.sql). Repeating it changes nothing.

import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { normalizeEmail } from '../mail/address.ts';
import { addUnsubscribeEvent } from '../message/event-store.ts';
import { addSuppressions } from '../suppression/suppression-store.ts';
import { selectRecipient } from './engagement-store.ts';
import type { TrackingToken } from './token.ts';

/** How somebody unsubscribed: by the button of the mail program (RFC 8058), or on our page. */
export type UnsubscribeSource = 'one_click' | 'page';

/** Unsubscribes the recipient of a message. Null when nothing is known of that message any more. */
export async function unsubscribe(
  db: Database,
  token: TrackingToken,
  source: UnsubscribeSource,
): Promise<{ email: string } | null> {
  const { tenantId, messageId } = token;
  return inTransaction(db.pool, async (client) => {
    const rcptTo = token.text || (await selectRecipient(client, tenantId, messageId));
    if (rcptTo === null) return null;
    const email = normalizeEmail(rcptTo);
    await addSuppressions(client, [{ tenantId, email, reason: 'unsubscribe', sourceMessageId: messageId }]);
    await addUnsubscribeEvent(client, tenantId, messageId, { source });
    return { email };
  });
}
