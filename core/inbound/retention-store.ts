// Deleting inbound mail that is old enough. The rows that hang on a raw go with it.
// SQL by hand: rows are locked and skipped, and their tables emptied in one statement.

import type pg from 'pg';

/**
 * Deletes raws older than `days` with their messages, contents, attachments and deliveries, and the chunks. Mail whose
 * delivery is still pending stays until that is decided. Returns how many raws went; call again while it is `limit`.
 */
export async function deleteOldInbound(pool: pg.Pool, days: number, limit: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'inbound-retention',
    text: `with old as materialized (
             select r.id from inbound_raws r
             where r.id < uuid_floor(now() - $1 * interval '1 day') and r.work_due_at is null
               and not exists (select 1 from webhook_deliveries d where d.raw_id = r.id and d.state = 'pending')
             order by r.id limit $2 for update of r skip locked),
           chunks as (delete from inbound_chunks c using old where c.raw_id = old.id),
           raws as (delete from inbound_raws r using old where r.id = old.id)
           select count(*)::int as count from old`,
    values: [days, limit],
  });
  return rows[0]?.count ?? 0;
}
