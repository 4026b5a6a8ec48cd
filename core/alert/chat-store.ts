// The outbox of messages to tenants' chats, written in the transaction of the alert, deleted when the chat has them.
// SQL by hand: rows are locked and skipped.

import type pg from 'pg';

import { HERE, RUNNING_CLOCK, later } from '../db/citus-forms.ts';
import type { Queryable } from '../db/pool.ts';

/** A message that is due, locked until the transaction ends; `sealedUrl` is null when the tenant has no chat any more. */
export interface DueChat {
  id: string;
  tenantId: string;
  text: string;
  attempts: number;
  sealedUrl: Buffer | null;
  isOld: boolean;
}

const KEPT = '1 day'; // an alert that could not be posted for longer helps nobody; the mail and the page have it

/** Writes a message, if the tenant has a chat. */
export async function addChat(
  client: pg.ClientBase,
  { id, tenantId, text }: Pick<DueChat, 'id' | 'tenantId' | 'text'>,
): Promise<void> {
  await client.query({
    name: 'alert-chat-add',
    text: `with wanted as materialized (
             select $1::uuid as id, tenant_id, $3::text as text, now() as created_at, now() as next_attempt_at
             from alert_settings
             where tenant_id = $2 and sealed_chat_url is not null),
           added as (
             insert into alert_chats (id, tenant_id, text, created_at, next_attempt_at) select wanted.* from wanted, ${HERE})
           select 1`,
    values: [id, tenantId, text],
  });
}

/** The message that is due for longest, locked; one that another loop is posting is passed over. */
export async function lockDueChat(client: pg.ClientBase): Promise<DueChat | null> {
  const { rows } = await client.query<DueChat>({
    name: 'alert-chat-lock-due',
    text: `select c.id, c.tenant_id as "tenantId", c.text, c.attempts, s.sealed_chat_url as "sealedUrl",
             c.created_at < now() - interval '${KEPT}' as "isOld"
           from alert_chats c left join alert_settings s on s.tenant_id = c.tenant_id
           where c.next_attempt_at <= now() order by c.next_attempt_at, c.id limit 1 for update of c skip locked`,
  });
  return rows[0] ?? null;
}

/** The chat has it, or never will. */
export async function deleteChat(client: Queryable, { id, tenantId }: DueChat): Promise<void> {
  await client.query({
    name: 'alert-chat-delete',
    text: 'delete from alert_chats where tenant_id = $1 and id = $2',
    values: [tenantId, id],
  });
}

/** It, and all else that waits for this chat, is due again later: a chat that hangs is asked once in that time. */
export async function postponeChats(
  client: Queryable,
  { id, tenantId }: DueChat,
  retryInMs: number,
): Promise<void> {
  await client.query({
    name: 'alert-chat-postpone',
    text: `update alert_chats set attempts = attempts + (id = $2)::int,
             next_attempt_at = ${later('clock.now', `$3 * interval '1 millisecond'`)}
           from ${RUNNING_CLOCK}
           where tenant_id = $1 and id in (select id from alert_chats where tenant_id = $1 for update skip locked)`,
    values: [tenantId, id, retryInMs],
  });
}
