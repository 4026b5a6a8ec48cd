// What fanning out reads and writes.
// SQL by hand: many rows to a statement; each event is looked up by its id, which chooses its partition.

import type pg from 'pg';

import type { FeedRow } from '../message/event-feed-store.ts';
import type { WebhookFormat } from './formats/formats.ts';

/** An endpoint that is on. */
export interface ListeningEndpoint {
  id: string;
  tenantId: string;
  eventTypes: string[];
  domainIds: string[] | null;
  format: WebhookFormat;
}

/** The endpoints for events of these tenants that are on. */
export async function selectListening(
  client: pg.ClientBase,
  tenantIds: string[],
): Promise<ListeningEndpoint[]> {
  const { rows } = await client.query<ListeningEndpoint>({
    name: 'fan-out-endpoints',
    text: `select id, tenant_id as "tenantId", event_types as "eventTypes", domain_ids as "domainIds", format
           from webhook_endpoints where tenant_id = any($1::uuid[]) and kind = 'events' and enabled`,
    values: [tenantIds],
  });
  return rows;
}

/** An event of a message with what is said about the message; that is null when the message is not kept any more. */
export interface MessageEventRow extends FeedRow {
  domainId: string;
  from: string | null;
  subject: string | null;
  tags: { name: string; value: string }[] | null;
}

/** These events of messages. */
export async function selectMessageEvents(
  client: pg.ClientBase,
  wanted: { id: string; tenantId: string }[],
): Promise<MessageEventRow[]> {
  const { rows } = await client.query<MessageEventRow>({
    name: 'fan-out-events',
    text: `select e.id, e.type, e.message_id as "messageId", e.campaign_id as "campaignId", e.recipient,
             e.domain_id as "domainId",
             coalesce(d.name, lower(substring(m.header_from from '@([^@>]+)>?$')), '') as domain, e.occurred_at as "occurredAt", e.data,
             m.header_from as "from", m.subject, m.tags
           from unnest($1::uuid[], $2::uuid[]) as q(id, tenant_id)
           cross join lateral (
             select * from events where events.id = q.id and events.tenant_id = q.tenant_id limit 1) e
           left join lateral (
             select header_from, subject, tags from messages
             where messages.id = e.message_id and messages.tenant_id = q.tenant_id limit 1) m on true
           left join domains d on d.id = e.domain_id and d.tenant_id = q.tenant_id`,
    values: [wanted.map(({ id }) => id), wanted.map(({ tenantId }) => tenantId)],
  });
  return rows;
}

/** Names of these domains. */
export async function selectDomainNames(
  client: pg.ClientBase,
  domains: { id: string; tenantId: string }[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; name: string }>({
    name: 'fan-out-domains',
    text: `select d.id, d.name from domains d join unnest($1::uuid[], $2::uuid[]) as q(id, tenant_id)
             on d.id = q.id and d.tenant_id = q.tenant_id`,
    values: [domains.map(({ id }) => id), domains.map(({ tenantId }) => tenantId)],
  });
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** A delivery to insert. */
export interface NewDelivery {
  id: string;
  tenantId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  body: string;
}

/** Inserts deliveries that are due at once; one that is there already stays as it is. */
export async function insertDeliveries(client: pg.ClientBase, rows: NewDelivery[]): Promise<void> {
  const column = <K extends keyof NewDelivery>(key: K) => rows.map((row) => row[key]);
  await client.query({
    name: 'fan-out-insert',
    text: `insert into webhook_deliveries (id, tenant_id, endpoint_id, event_id, event_type, body, next_attempt_at)
           select *, now() from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[])
           on conflict (endpoint_id, event_id) where event_id is not null do nothing`,
    values: [
      column('id'),
      column('tenantId'),
      column('endpointId'),
      column('eventId'),
      column('eventType'),
      column('body'),
    ],
  });
}
