// Reading messages. Every statement names the tenant.
// SQL by hand: pages whose cost is that of an index, over joins that are written for it.

import type { Queryable } from '../db/pool.ts';
import type { EventType } from './event-store.ts';
import { boundsOfGroups } from './group-id.ts';
import type { AddressField } from './mailbox-input.ts';
import { DEFERRED_UNTIL, MESSAGE_FROM, MESSAGE_SUMMARY } from './message-columns.ts';
import type { DeferReason, MessageState } from './states.ts';
import type { messageAttempts } from '../db/schema/message.ts';

/** A message as its tenant sees it. Ids are UUIDs. */
export interface MessageSummary {
  id: string;
  /** The first message of a submission to several recipients; null with one. */
  groupId: string | null;
  from: string;
  to: string;
  subject: string;
  status: MessageState;
  /** What the submission answered. */
  reason: string | null;
  /** Why it waits; null unless deferred. */
  deferReason: DeferReason | null;
  /** Until when it waits; null unless deferred. */
  deferredUntil: Date | null;
  domain: string;
  campaignId: string | null;
  templateId: string | null;
  tags: { name: string; value: string }[];
  createdAt: Date;
}

/** One delivery attempt, with the peer's reply. */
export type MessageAttempt = Pick<
  typeof messageAttempts.$inferSelect,
  | 'messageId'
  | 'at'
  | 'durationMs'
  | 'mx'
  | 'tls'
  | 'tlsVerified'
  | 'tlsPolicy'
  | 'certificate'
  | 'command'
  | 'smtpCode'
  | 'enhancedCode'
  | 'reply'
> & {
  /** The address that it left from, with its name in EHLO; null for the system's own. */
  source: { address: string; hostname: string } | null;
};

/** One thing that happened to a message. */
export interface MessageEvent {
  messageId: string;
  type: EventType | 'accepted';
  occurredAt: Date;
  data: Record<string, unknown>;
}

/** One recipient of a group, and how the message to it stands. */
export interface GroupRecipient extends Pick<MessageSummary, 'id' | 'status' | 'reason' | 'deferredUntil'> {
  groupId: string;
  email: string;
  field: AddressField;
}

/** A message with everything that happened to it. */
export interface MessageDetail extends MessageSummary {
  /** All recipients of its group, itself among them, in the order of to, cc, bcc; none with one recipient. */
  recipients: GroupRecipient[];
  attempts: MessageAttempt[];
  events: MessageEvent[];
}

/** One message of a tenant, or null. */
export async function selectMessage(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<MessageSummary | null> {
  const { rows } = await db.query<MessageSummary>({
    name: 'message.by-id',
    text: `select ${MESSAGE_SUMMARY} ${MESSAGE_FROM} where m.tenant_id = $1 and m.id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** The states of those of some messages that are there, by id. */
export async function selectMessageStates(
  db: Queryable,
  tenantId: string,
  ids: string[],
): Promise<Map<string, MessageState>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; state: MessageState }>({
    name: 'message.states',
    text: 'select id, state from messages where tenant_id = $1 and id = any($2::uuid[])',
    values: [tenantId, ids],
  });
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** One message of a tenant with its attempts and events, or null. */
export async function readMessage(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<MessageDetail | null> {
  const message = await selectMessage(db, tenantId, id);
  if (!message) return null;
  const { groupId } = message;
  const [recipients, attempts, events] = await Promise.all([
    groupId === null ? [] : selectRecipients(db, tenantId, [groupId]),
    selectAttempts(db, tenantId, [id]),
    selectEvents(db, tenantId, [id]),
  ]);
  return { ...message, recipients, attempts, events };
}

/** The recipients of some groups, each group's in order: the first has the group's id, ids of the others are in order. */
export async function selectRecipients(
  db: Queryable,
  tenantId: string,
  groupIds: string[],
): Promise<GroupRecipient[]> {
  const { rows } = await db.query<GroupRecipient>({
    name: 'message.recipients',
    text: `select m.id, m.group_id as "groupId", m.rcpt_to as email, m.address_field as field, m.state as status,
             m.reason, ${DEFERRED_UNTIL} as "deferredUntil"
           from messages m
           where m.tenant_id = $1 and m.group_id = any($2::uuid[]) and m.id between $3 and $4
           order by m.group_id, m.id <> m.group_id, m.id`,
    values: [tenantId, groupIds, ...boundsOfGroups(groupIds)],
  });
  return rows;
}

/** Whom the headers of a message name, and whom none does. */
export function addressesOf(
  to: string,
  recipients: Pick<GroupRecipient, 'email' | 'field'>[],
): { headerTo: string[]; cc: string[]; bcc: string[] } {
  const named = (field: AddressField) =>
    recipients.filter((one) => one.field === field).map(({ email }) => email);
  return { headerTo: recipients.length === 0 ? [to] : named('to'), cc: named('cc'), bcc: named('bcc') };
}

/** The attempts of some messages, each message's in order. */
export async function selectAttempts(
  db: Queryable,
  tenantId: string,
  messageIds: string[],
): Promise<MessageAttempt[]> {
  const { rows } = await db.query<MessageAttempt>({
    name: 'message.attempts',
    text: `select message_id as "messageId", at, duration_ms as "durationMs", mx, tls, tls_verified as "tlsVerified",
             tls_policy as "tlsPolicy", certificate, command, smtp_code as "smtpCode", enhanced_code as "enhancedCode", reply,
             case when source is not null then jsonb_build_object('address', source, 'hostname', source_name) end as source
           from message_attempts where tenant_id = $1 and message_id = any($2::uuid[])
           order by message_id, attempt`,
    values: [tenantId, messageIds],
  });
  return rows;
}

/** What happened to some messages, each message's in order. `accepted` is the message row itself. */
export async function selectEvents(
  db: Queryable,
  tenantId: string,
  messageIds: string[],
): Promise<MessageEvent[]> {
  const { rows } = await db.query<MessageEvent>({
    name: 'message.events',
    text: `select id as "messageId", 'accepted' as type, created_at as "occurredAt", '{}'::jsonb as data, 0 as later, id
           from messages where tenant_id = $1 and id = any($2::uuid[])
           union all
           select message_id, type, occurred_at, data, 1, id
           from events where tenant_id = $1 and message_id = any($2::uuid[])
           order by "messageId", later, "occurredAt", id`,
    values: [tenantId, messageIds],
  });
  return rows.map(({ messageId, type, occurredAt, data }) => ({ messageId, type, occurredAt, data }));
}
