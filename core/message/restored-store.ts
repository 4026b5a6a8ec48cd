// What becomes of open mail when PostgreSQL was restored to an earlier moment: it may have been delivered since.
// The one statement about messages that is of all tenants: a restore is of all of them.

import type pg from 'pg';

import { jsonText, noteSql } from './note-decision.ts';

/**
 * Takes the admissions of all open mail, also of what a sender had then (a raised claim version fences it): it waits for
 * the next 00:00 UTC as `warmup_cap`. Mail without an admission waits already. Returns how many.
 */
export async function deferRestored(client: pg.ClientBase): Promise<number> {
  const { rowCount } = await client.query({
    name: 'message-defer-restored',
    text: `update messages m
           set state = 'deferred', admitted_day = null, claimed_by = null, claim_version = claim_version + 1,
               defer_reason = 'warmup_cap', reason = 'warmup_cap',
               deferred_until = (date_trunc('day', now() at time zone 'UTC') + interval '1 day') at time zone 'UTC',
               ${noteSql('restored', {}, { ofRow: { admitted_day: jsonText('day_text(m.admitted_day)') } })}
           where state in ('queued', 'sending', 'deferred') and admitted_day is not null`,
  });
  return rowCount ?? 0;
}
