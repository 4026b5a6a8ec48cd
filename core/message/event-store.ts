// The table of events: everything that is written to it. core/message/states.ts says what happens to messages.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import { HERE, later } from '../db/citus-forms.ts';
import type { events } from '../db/schema/event.ts';
import { COUNTED_HERE, EVENT_COLUMNS, eventEffects } from './event-effects.ts';
import { simulatedSql } from './rated.ts';

/** What can happen to a message. `accepted` is not stored: it is the message row itself. */
export type EventType = NewEvent['type'];

/** An event that happens now. */
export type NewEvent = Omit<typeof events.$inferSelect, 'occurredAt'>;

/** An open or a click; `id` makes recording it again change nothing. */
export interface EngagementEvent {
  id: string;
  type: 'open' | 'click';
  tenantId: string;
  messageId: string;
  at: Date;
  /** Whether the request itself says that no person made it. */
  machine: boolean;
  data: { url?: string; user_agent: string; ip: string };
}

/** Inserts events. */
export async function insertEvents(client: pg.ClientBase, events: NewEvent[]): Promise<void> {
  await client.query({
    name: 'event-insert',
    text: `with said as materialized (
             select q.*, now() as now
             from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::jsonb[])
               as q(id, tenant_id, type, message_id, domain_id, campaign_id, recipient, data), ${COUNTED_HERE}),
           event as (
             insert into events (id, tenant_id, type, message_id, domain_id, campaign_id, recipient, occurred_at, data)
             select id, tenant_id, type, message_id, domain_id, campaign_id, recipient, now, data from said, ${HERE}
             ${EVENT_COLUMNS}), ${eventEffects()}
           select 1`,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.tenantId),
      events.map((event) => event.type),
      events.map((event) => event.messageId),
      events.map((event) => event.domainId),
      events.map((event) => event.campaignId),
      events.map((event) => event.recipient),
      events.map((event) => JSON.stringify(event.data)),
    ],
  });
}

const ENGAGEMENT = `
  with h as materialized (
  select h.*
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::timestamptz[], $6::bool[], $7::jsonb[])
    as h(id, tenant_id, type, message_id, at, machine, data), ${COUNTED_HERE}),
  seen as materialized (
  select h.id, h.tenant_id, h.type, m.id as message_id, m.domain_id, m.campaign_id, m.rcpt_to, h.at,
    h.data || jsonb_build_object('machine_' || h.type, h.machine or (
      not ${simulatedSql('m.rcpt_to')}
      and (m.finished_at is null or h.at < ${later('m.finished_at', 'make_interval(secs => $10)')}))) as data
  from h join messages m on m.id = h.message_id and m.tenant_id = h.tenant_id and m.id between $8 and $9
  ),
  event as (
    insert into events (id, tenant_id, type, message_id, domain_id, campaign_id, recipient, occurred_at, data)
    select seen.* from seen, ${HERE} on conflict (id) do nothing ${EVENT_COLUMNS}), ${eventEffects({ engagements: true })}
  select id, tenant_id as "tenantId" from event`;

/**
 * Inserts opens and clicks, each with whether a machine made it: one so soon after the delivery is a machine's. Those
 * of messages that are not kept any more are left out, and so are those that are stored already.
 */
export async function insertEngagements(
  client: pg.ClientBase,
  events: EngagementEvent[],
  machineSeconds: number,
): Promise<{ id: string; tenantId: string }[]> {
  const messageIds = events.map((event) => event.messageId).sort();
  const { rows } = await client.query<{ id: string; tenantId: string }>({
    name: 'event-insert-engagements',
    text: ENGAGEMENT,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.tenantId),
      events.map((event) => event.type),
      events.map((event) => event.messageId),
      events.map((event) => event.at),
      events.map((event) => event.machine),
      events.map((event) => JSON.stringify(event.data)),
      messageIds[0],
      messageIds.at(-1),
      machineSeconds,
    ],
  });
  return rows;
}

/** Adds the one unsubscribe event of a message, unless it has it. */
export async function addUnsubscribeEvent(
  client: pg.ClientBase,
  tenantId: string,
  messageId: string,
  data: Record<string, unknown>,
): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended('unsubscribe:' || $1, 0))", [messageId]);
  await client.query({
    name: 'event-insert-unsubscribe',
    text: `with told as materialized (select $2::uuid as id, now() as now from ${COUNTED_HERE}),
           said as materialized (
             select $3::uuid as event_id, m.tenant_id, 'unsubscribe' as type, m.id, m.domain_id, m.campaign_id, m.rcpt_to,
               t.now, $4::jsonb as data
             from told t join messages m on m.id = t.id and m.tenant_id = $1
             where not exists (select 1 from events e
                 where e.message_id = m.id and e.tenant_id = m.tenant_id and e.type = 'unsubscribe')),
           event as (
             insert into events (id, tenant_id, type, message_id, domain_id, campaign_id, recipient, occurred_at, data)
             select said.* from said, ${HERE} ${EVENT_COLUMNS}), ${eventEffects()}
           select 1`,
    values: [tenantId, messageId, newUuid(), JSON.stringify(data)],
  });
}
