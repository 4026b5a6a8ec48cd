// The move of messages that their tenant cancels.
// SQL by hand: conditional writes (on conflict, compare and set) that no two callers may see differently.

import type pg from 'pg';

import { noteSql } from './note-decision.ts';

/** What the event of a cancellation says. */
export interface CancelledMessage {
  id: string;
  domainId: string;
  campaignId: string | null;
  rcptTo: string;
}

/**
 * Cancels those of some messages that still wait and that no sender has claimed. Raising the claim version fences a sender
 * that believes otherwise.
 */
export async function cancelWaiting(
  client: pg.ClientBase,
  tenantId: string,
  ids: string[],
): Promise<CancelledMessage[]> {
  const { rows } = await client.query<CancelledMessage>({
    name: 'message-cancel',
    text: `with waiting as materialized (
             select id, tenant_id from messages
             where tenant_id = $1 and id = any($2) and state = 'deferred' and claimed_by is null
             order by id for update)
           update messages m
           set state = 'cancelled', defer_reason = null, deferred_until = null, next_attempt_at = null,
               claim_version = m.claim_version + 1, finished_at = now(),
               ${noteSql('cancelled', { by: `'request'` })}
           from waiting w where m.id = w.id and m.tenant_id = w.tenant_id
           returning m.id, m.domain_id as "domainId", m.campaign_id as "campaignId", m.rcpt_to as "rcptTo"`,
    values: [tenantId, ids],
  });
  return rows;
}
