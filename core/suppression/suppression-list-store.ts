// Adding to a suppression list where the weightier reason wins:
//
//   complaint > unsubscribe > bounce > manual

import type pg from 'pg';

import type { Suppression, SuppressionReason } from './suppression-store.ts';

/** Addresses (normalized, each once) to add for one reason. */
export interface Upsert {
  tenantId: string;
  emails: string[];
  reason: SuppressionReason;
  sourceMessageId?: string;
}

/** Adds them in one statement. Returns every entry as it is now; `isNew` tells which were not there. */
export async function upsertSuppressions(
  db: Pick<pg.Pool, 'query'>,
  { tenantId, emails, reason, sourceMessageId }: Upsert,
): Promise<(Suppression & { isNew: boolean })[]> {
  const { rows } = await db.query<Suppression & { isNew: boolean }>({
    name: 'suppression-upsert',
    text: `insert into suppressions as s (tenant_id, email, reason, source_message_id)
           select $1, email, $3, $4 from unnest($2::text[]) as q(email) order by email
           on conflict (tenant_id, email) do update
           set (reason, source_message_id) = (
             select w.reason, w.source_message_id from (values
               (s.reason, s.source_message_id, 0), (excluded.reason, excluded.source_message_id, 1))
               as w(reason, source_message_id, later)
             order by array_position(array['complaint', 'unsubscribe', 'bounce', 'manual'], w.reason), later limit 1)
           returning s.email, s.reason, s.source_message_id as "sourceMessageId", s.created_at as "createdAt",
             s.xmax = 0 as "isNew"`,
    values: [tenantId, emails, reason, sourceMessageId ?? null],
  });
  return rows;
}
