// The move of one message that its tenant cancels.
// SQL by hand: conditional writes (on conflict, compare and set) that no two callers may see differently.

import type pg from 'pg';

import { noteSql } from './note-decision.ts';

/** What the event of a cancellation says. */
export interface CancelledMessage {
  domainId: string;
  campaignId: string | null;
  rcptTo: string;
}

/**
 * Cancels a message that still waits and that no sender has claimed; null when it does not. Raising the claim version
 * fences a sender that believes otherwise.
 */
export async function cancelWaiting(
  client: pg.ClientBase,
  tenantId: string,
  id: string,
): Promise<CancelledMessage | null> {
  const { rows } = await client.query<CancelledMessage>({
    name: 'message-cancel',
    text: `update messages m
           set state = 'cancelled', defer_reason = null, deferred_until = null, next_attempt_at = null,
               claim_version = claim_version + 1, finished_at = now(),
               ${noteSql('cancelled', { by: `'request'` })}
           where tenant_id = $1 and id = $2 and state = 'deferred' and claimed_by is null
           returning domain_id as "domainId", campaign_id as "campaignId", rcpt_to as "rcptTo"`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}
