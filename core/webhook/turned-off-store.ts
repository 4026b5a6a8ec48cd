// Endpoints of events that fail for too long, and what is old of their log.
// SQL by hand: rows are locked and skipped, and found by jumping from endpoint to endpoint in an index.

import type pg from 'pg';

/** An endpoint that was turned off by itself and whose owners do not know yet. */
export interface TurnedOff {
  id: string;
  tenantId: string;
  url: string;
  reason: 'gone' | 'failing';
  failingSince: Date | null;
}

/** Turns endpoints off that had a failure and no success for so many days. Returns how many. */
export async function turnOffFailing(pool: pg.Pool, days: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'webhook-turn-off',
    text: `with failing as materialized (
             select id from webhook_endpoints
             where kind = 'events' and enabled and failing_since < now() - make_interval(days => $1)
             order by id for update skip locked)
           update webhook_endpoints e set enabled = false, disabled_reason = 'failing'
           from failing where e.id = failing.id`,
    values: [days],
  });
  return rowCount ?? 0;
}

/** The next endpoint whose owners are to be told, locked until the transaction ends; null when there is none. */
export async function lockTurnedOff(client: pg.ClientBase): Promise<TurnedOff | null> {
  const { rows } = await client.query<TurnedOff>({
    name: 'webhook-turned-off',
    text: `select id, tenant_id as "tenantId", url, disabled_reason as reason, failing_since as "failingSince"
           from webhook_endpoints
           where kind = 'events' and not enabled and disabled_reason is not null and owners_told_at is null
           order by id limit 1 for update skip locked`,
  });
  return rows[0] ?? null;
}

/** Notes that the owners know. */
export async function markOwnersTold(client: pg.ClientBase, { id, tenantId }: TurnedOff): Promise<void> {
  await client.query({
    name: 'webhook-owners-told',
    text: 'update webhook_endpoints set owners_told_at = now() where tenant_id = $1 and id = $2',
    values: [tenantId, id],
  });
}

/**
 * Deletes deliveries of events that are older than `days` and decided, with their attempts. Returns how many; call again
 * while it is not 0.
 */
export async function deleteOldDeliveries(pool: pg.Pool, days: number, perEndpoint: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'webhook-retention',
    text: `with recursive known as (
             (select endpoint_id from webhook_deliveries where event_id is not null order by endpoint_id limit 1)
             union all
             select (select d.endpoint_id from webhook_deliveries d
                     where d.event_id is not null and d.endpoint_id > k.endpoint_id order by d.endpoint_id limit 1)
             from known k where k.endpoint_id is not null),
           old as materialized (
             select o.id from known k cross join lateral (
               select d.id from webhook_deliveries d
               where d.endpoint_id = k.endpoint_id and d.event_id is not null and d.state <> 'pending'
                 and d.created_at < now() - make_interval(days => $1)
               order by d.created_at limit $2 for update skip locked) o)
           delete from webhook_deliveries d using old where d.id = old.id`,
    values: [days, perEndpoint],
  });
  return rowCount ?? 0;
}
