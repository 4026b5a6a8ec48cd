// What reports (DSN, ARF) do to the message that they are about: an event, a state, a suppression, in the transaction
// of whoever calls.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import { addSuppressions } from '../suppression/suppression-store.ts';

/** A sent message as a report finds it. */
export interface ReportedMessage {
  id: string;
  tenantId: string;
  domainId: string;
  campaignId: string | null;
  rcptTo: string;
  state: string;
}

/** One line for the timeline. */
export interface ReportEvent {
  type: 'bounced' | 'deferred' | 'complaint';
  data: Record<string, unknown>;
}

/** A message of a tenant, locked until the transaction ends; null when it is not there. */
export async function lockMessage(
  client: pg.PoolClient,
  tenantId: string,
  messageId: string,
): Promise<ReportedMessage | null> {
  const { rows } = await client.query<ReportedMessage>({
    name: 'report-lock-message',
    text: `select id, tenant_id as "tenantId", domain_id as "domainId", campaign_id as "campaignId",
             rcpt_to as "rcptTo", state
           from messages where tenant_id = $1 and id = $2 for update`,
    values: [tenantId, messageId],
  });
  return rows[0] ?? null;
}

/** The state of a message without a lock; null when it is not there. */
export async function messageState(
  pool: pg.Pool,
  tenantId: string,
  messageId: string,
): Promise<string | null> {
  const { rows } = await pool.query<{ state: string }>({
    name: 'report-message-state',
    text: 'select state from messages where tenant_id = $1 and id = $2',
    values: [tenantId, messageId],
  });
  return rows[0]?.state ?? null;
}

/** Moves a delivered message to bounced: its next hop took it, and could not deliver it after all. */
export async function markBounced(client: pg.PoolClient, message: ReportedMessage): Promise<void> {
  await client.query({
    name: 'report-mark-bounced',
    text: `update messages set state = 'bounced', finished_at = now()
           where tenant_id = $1 and id = $2 and state = 'delivered'`,
    values: [message.tenantId, message.id],
  });
}

/** Whether the message has an event of this type whose data holds all of `like`. */
export async function hasEvent(
  client: pg.PoolClient,
  message: ReportedMessage,
  type: ReportEvent['type'],
  like: Record<string, unknown>,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'report-has-event',
    text: `select from events where message_id = $1 and tenant_id = $2 and type = $3 and data @> $4 limit 1`,
    values: [message.id, message.tenantId, type, JSON.stringify(like)],
  });
  return (rowCount ?? 0) > 0;
}

/** Adds a line to the timeline; returns its id. */
export async function addEvent(
  client: pg.PoolClient,
  message: ReportedMessage,
  event: ReportEvent,
): Promise<string> {
  const id = newUuid();
  await client.query({
    name: 'report-add-event',
    text: `insert into events (id, tenant_id, type, message_id, domain_id, campaign_id, recipient, occurred_at, data)
           values ($1, $2, $3, $4, $5, $6, $7, now(), $8)`,
    values: [
      id,
      message.tenantId,
      event.type,
      message.id,
      message.domainId,
      message.campaignId,
      message.rcptTo,
      JSON.stringify(event.data),
    ],
  });
  return id;
}

/** Suppresses the recipient of a message. `email` is normalized. */
export async function suppress(
  client: pg.PoolClient,
  message: ReportedMessage,
  email: string,
  reason: 'bounce' | 'complaint',
): Promise<void> {
  await addSuppressions(client, [{ tenantId: message.tenantId, email, reason, sourceMessageId: message.id }]);
}

/** Says what became of a report. */
export async function setOutcome(
  client: pg.PoolClient,
  tenantId: string,
  inboundMessageId: string,
  outcome: string,
): Promise<void> {
  await client.query({
    name: 'report-outcome',
    text: 'update inbound_messages set outcome = $3 where tenant_id = $1 and id = $2',
    values: [tenantId, inboundMessageId, outcome],
  });
}
