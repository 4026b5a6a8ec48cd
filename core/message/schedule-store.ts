// The move of one scheduled message to another time.
// SQL by hand: a conditional write that no two callers may see differently.

import type pg from 'pg';

import { noteSql } from './note-decision.ts';

/** What the event of the move says. */
export interface RescheduledMessage {
  domainId: string;
  rcptTo: string;
}

/** Moves a message that waits for its time; null when it does not. */
export async function rescheduleWaiting(
  client: pg.ClientBase,
  tenantId: string,
  id: string,
  at: Date,
): Promise<RescheduledMessage | null> {
  const { rows } = await client.query<RescheduledMessage>({
    name: 'message-reschedule',
    text: `update messages m set deferred_until = $3, ${noteSql('scheduled', { scheduled_at: '$3::timestamptz(3)' })}
           where tenant_id = $1 and id = $2 and state = 'deferred' and defer_reason = 'scheduled'
             and admitted_day is null and claimed_by is null
           returning domain_id as "domainId", rcpt_to as "rcptTo"`,
    values: [tenantId, id, at],
  });
  return rows[0] ?? null;
}
