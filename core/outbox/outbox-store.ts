// How what happens reaches those who follow it. Who makes something happen writes a row of event_outbox in its own
// transaction: the statement itself for messages (core/message/), the triggers of 0018_announcements.sql for the rest. The
// dispatcher (inbound/events/dispatch-loop.ts), one at a time, takes the rows that are committed, gives each event of a
// message the next position of its tenant in event_log, and makes the deliveries to endpoints (core/webhook/fan-out.ts).
//
// Guarantee: whoever sees a position sees all lower ones, and none appears below it later. Positions are given by
// transactions that never overlap in a bucket: the lock of one ends after its commit is visible. What had committed before another
// event was written has the lower position.
// SQL by hand: one statement for many rows, and locks whose order matters.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import { OF_THIS_BUCKET } from '../db/service-tables.ts';

/** Something that happened and is to be dispatched. Ids are UUIDs. */
export interface OutboxRow {
  /** Of the event. */
  id: string;
  tenantId: string;
  /** As stored in `events`, or the name that webhooks have for it. */
  type: string;
  /** Null for an event of a message. */
  payload: Record<string, unknown> | null;
}

/** The id of the event that waits longest, or null: what an idle dispatcher asks, without a transaction. */
export async function selectOldest(db: Pick<pg.Pool, 'query'>): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'outbox-waiting',
    text: 'select id from event_outbox order by seq limit 1',
  });
  return rows[0]?.id ?? null;
}

/** Makes this transaction the one dispatcher until it ends. False while another one is. */
export async function lockOutbox(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>({
    name: 'outbox-lock',
    text: `select pg_try_advisory_xact_lock(hashtext('postrider:outbox' || ${OF_THIS_BUCKET})) as locked`,
  });
  return rows[0]!.locked;
}

/** Removes the oldest rows from the outbox and returns them in order. Needs the lock, taken by a statement before. */
export async function takeOutbox(client: pg.ClientBase, limit: number): Promise<OutboxRow[]> {
  const { rows } = await client.query<OutboxRow>({
    name: 'outbox-take',
    text: `with taken as (
             delete from event_outbox where seq = any(array(select seq from event_outbox order by seq limit $1))
             returning seq, id, tenant_id, type, payload)
           select id, tenant_id as "tenantId", type, payload from taken order by seq`,
    values: [limit],
  });
  return rows;
}

/** Gives these events of messages their positions, in this order. Returns how far the log of each tenant goes now. */
export async function appendToLog(
  client: pg.ClientBase,
  events: OutboxRow[],
): Promise<{ tenantId: string; position: number }[]> {
  const { rows } = await client.query<{ tenantId: string; position: string }>({
    name: 'outbox-append',
    text: `with added as (
             select tenant_id, id, type, row_number() over (partition by tenant_id order by place) as nth
             from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as q(tenant_id, id, type, place)),
           heads as (
             insert into event_log_heads as h (tenant_id, position)
             select tenant_id, count(*) from added, ${HERE} group by tenant_id order by tenant_id
             on conflict (tenant_id) do update set position = h.position + excluded.position
             returning tenant_id, position),
           counts as (select tenant_id, max(nth) as n from added group by tenant_id),
           logged as (
             insert into event_log (tenant_id, position, event_id, type)
             select a.tenant_id, h.position - c.n + a.nth, a.id, a.type
             from added a join heads h using (tenant_id) join counts c using (tenant_id), ${HERE})
           select tenant_id as "tenantId", position from heads`,
    values: [
      events.map((event) => event.tenantId),
      events.map((event) => event.id),
      events.map((event) => event.type),
    ],
  });
  return rows.map(({ tenantId, position }) => ({ tenantId, position: Number(position) }));
}
