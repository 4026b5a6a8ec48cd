// What reports (DSN, ARF) find and change about the message that they name, in the transaction of whoever calls.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import { HERE } from '../db/citus-forms.ts';
import { countComplaint, countReturn } from './count-attempts-store.ts';
import { insertEvents, type EventType } from './event-store.ts';
import { boundsOfGroups } from './group-id.ts';
import { jsonText, noteSql } from './note-decision.ts';
import { ratedSql } from './rated.ts';
import type { MessageState } from './states.ts';

/** A sent message as a report finds it. */
export interface ReportedMessage {
  id: string;
  tenantId: string;
  domainId: string;
  campaignId: string | null;
  rcptTo: string;
  state: MessageState;
  /** Whether it counts in rates. */
  isRated: boolean;
}

/** An event that a report adds. */
export interface ReportEvent {
  type: EventType & ('bounced' | 'deferred' | 'complaint');
  data: Record<string, unknown>;
}

/** A message of a tenant, locked until the transaction ends; null when it is not there. */
export async function lockReportedMessage(
  client: pg.ClientBase,
  tenantId: string,
  messageId: string,
): Promise<ReportedMessage | null> {
  const { rows } = await client.query<ReportedMessage>({
    name: 'message-lock-reported',
    text: `select id, tenant_id as "tenantId", domain_id as "domainId", campaign_id as "campaignId",
             rcpt_to as "rcptTo", state, ${ratedSql('m')} as "isRated"
           from messages m where tenant_id = $1 and id = $2 for update`,
    values: [tenantId, messageId],
  });
  return rows[0] ?? null;
}

/** A message as one of those that share a Message-ID. */
export interface GroupMember {
  id: string;
  rcptTo: string;
}

/** The messages of a domain whose Message-ID has this uuid: one, or all of a submission to several recipients. */
export async function findByMessageId(
  client: pg.ClientBase,
  tenantId: string,
  domainId: string,
  uuid: string,
): Promise<GroupMember[]> {
  const { rows } = await client.query<GroupMember>({
    name: 'message-find-by-message-id',
    text: `select id, rcpt_to as "rcptTo" from messages
           where tenant_id = $1 and domain_id = $2 and (id = $3 or group_id = $3) and id between $4 and $5`,
    values: [tenantId, domainId, uuid, ...boundsOfGroups([uuid])],
  });
  return rows;
}

/** The state of a message without a lock; null when it is not there. */
export async function readState(
  pool: pg.Pool,
  tenantId: string,
  messageId: string,
): Promise<MessageState | null> {
  const { rows } = await pool.query<{ state: MessageState }>({
    name: 'message-read-state',
    text: 'select state from messages where tenant_id = $1 and id = $2',
    values: [tenantId, messageId],
  });
  return rows[0]?.state ?? null;
}

/** Bounces a delivered message: its next hop accepted it, and could not deliver it after all, as the report says. */
export async function bounceDelivered(
  client: pg.ClientBase,
  message: ReportedMessage,
  report: Record<string, unknown> = {},
): Promise<void> {
  await client.query({
    name: 'message-bounce-delivered',
    text: `update messages m set state = 'bounced', finished_at = now(),
             decisions = note_decision(m.decisions, 'returned', now(), m.attempts, $3::jsonb)
           where tenant_id = $1 and id = $2 and state = 'delivered'`,
    values: [message.tenantId, message.id, JSON.stringify(report)],
  });
}

/** Notes that a report says that a message bounced which is still under way: it was counted so, whatever it ends as here. */
export async function noteReturned(
  client: pg.ClientBase,
  message: Pick<ReportedMessage, 'tenantId' | 'id'>,
): Promise<void> {
  const until = "case when m.state <> 'sending' then coalesce(m.deferred_until, m.next_attempt_at) end";
  const ofRow = { state: jsonText('m.state'), until: jsonText(`time_text(${until})`) };
  await client.query({
    name: 'message-note-returned',
    text: `update messages m set returned = true, ${noteSql('returned_early', {}, { ofRow })}
           where tenant_id = $1 and id = $2 and state in ('queued', 'sending', 'deferred')`,
    values: [message.tenantId, message.id],
  });
}

/** Whether the message has an event of this type whose data holds all of `like`. */
export async function hasEvent(
  client: pg.ClientBase,
  message: ReportedMessage,
  type: ReportEvent['type'],
  like: Record<string, unknown>,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'event-exists',
    text: `select from events where message_id = $1 and tenant_id = $2 and type = $3 and data @> $4 limit 1`,
    values: [message.id, message.tenantId, type, JSON.stringify(like)],
  });
  return (rowCount ?? 0) > 0;
}

// Before the event: senders lock these rows before those of the domain, which are counted with the event.
async function countAtProvider(
  client: pg.ClientBase,
  { id, tenantId }: ReportedMessage,
  type: 'bounced' | 'complaint',
): Promise<void> {
  await client.query({
    name: 'message-count-report-at-provider',
    text: `with reported as materialized (
             select a.tenant_id, case when $3 = 'bounced' then (a.at at time zone 'UTC')::date
                 else (now() at time zone 'UTC')::date end as day, a.provider,
               case when $3 = 'bounced' and a.outcome = 'delivered' then -1 else 0 end as delivered,
               ($3 = 'bounced')::int as bounced, ($3 = 'complaint')::int as complained
             from (select * from message_attempts where message_id = $2 and tenant_id = $1
                   order by attempt desc limit 1) a
             where a.provider is not null),
           counted as (
             insert into provider_days as p (tenant_id, day, provider, delivered, bounced, complained)
             select reported.* from reported, ${HERE}
             on conflict (tenant_id, day, provider) do update set delivered = p.delivered + excluded.delivered,
               bounced = p.bounced + excluded.bounced, complained = p.complained + excluded.complained)
           select 1`,
    values: [tenantId, id, type],
  });
}

/** Adds an event to the message; returns its id. */
export async function addReportEvent(
  client: pg.ClientBase,
  message: ReportedMessage,
  event: ReportEvent,
): Promise<string> {
  const { id: messageId, tenantId, domainId, campaignId, rcptTo: recipient } = message;
  if (event.type !== 'deferred' && message.isRated) {
    await countAtProvider(client, message, event.type);
    await (event.type === 'complaint' ? countComplaint : countReturn)(client, message);
  }
  const id = newUuid();
  await insertEvents(client, [{ ...event, id, tenantId, messageId, domainId, campaignId, recipient }]);
  return id;
}
