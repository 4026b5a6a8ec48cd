// What a message says, for those who look at it afterwards.
// SQL by hand: two tables read by the ids that they share, each in one partition.

import type pg from 'pg';

import type { Queryable } from '../db/pool.ts';
import type { Claim } from './claim.ts';
import { OPEN_STATES } from './states.ts';

/** A message as it is composed from; its content is null once that is deleted. */
export interface KeptMessage extends Omit<Claim, 'content' | 'octets'> {
  /** As stored (stored-content.ts). */
  content: Buffer | null;
  /** When it was last tried to deliver it. */
  lastAttemptAt: Date | null;
}

const OPEN = `(${OPEN_STATES.map((state) => `'${state}'`).join(', ')})`;

/**
 * One message of a tenant with its content, which messages of a group have in common; null without the message. That of
 * a message which has ended counts as deleted from then on where its tenant keeps none.
 */
export async function selectKept(db: Queryable, tenantId: string, id: string): Promise<KeptMessage | null> {
  const { rows } = await db.query<KeptMessage>({
    name: 'message.kept',
    text: `select m.id, m.group_id as "groupId", m.tenant_id as "tenantId", m.domain_id as "domainId", m.stream,
             m.claim_version as "claimVersion", m.attempts, m.rcpt_to as "rcptTo", m.header_from as "headerFrom", m.esp,
             m.campaign_id as "campaignId", m.template_version as "templateVersion", m.created_at as "createdAt",
             coalesce(m.expires_at, m.created_at) as "expiresAt",
             (select c.content from message_contents c
              where c.tenant_id = $1 and c.message_id = coalesce(m.group_id, m.id)
                and (t.keep_content or m.state in ${OPEN})) as content,
             (select max(a.at) from message_attempts a
              where a.tenant_id = $1 and a.message_id = m.id) as "lastAttemptAt"
           from messages m join tenants t on t.id = m.tenant_id where m.tenant_id = $1 and m.id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** Notes contents to delete once their messages have ended. */
export async function insertUnkept(
  client: pg.ClientBase,
  rows: { id: string; tenantId: string }[],
): Promise<void> {
  await client.query({
    name: 'unkept-insert',
    text: `insert into unkept_contents (message_id, tenant_id) select * from unnest($1::uuid[], $2::uuid[])`,
    values: [rows.map((row) => row.id), rows.map((row) => row.tenantId)],
  });
}

/** What a round of deleting came to. */
export interface Forgotten {
  looked: number;
  deleted: number;
  /** The last that was looked at; null when there was none. */
  last: string | null;
}

/** Deletes, of the next noted contents after an id, those whose messages have all ended. */
export async function deleteEnded(pool: pg.Pool, after: string, limit: number): Promise<Forgotten> {
  const { rows } = await pool.query<Forgotten>({
    name: 'unkept-delete',
    text: `with looked as materialized (
             select message_id, tenant_id from unkept_contents where message_id > $1 order by message_id limit $2),
           ended as materialized (
             select * from looked l
             where not exists (select from messages m where m.tenant_id = l.tenant_id and m.id = l.message_id
                 and m.state in ${OPEN})
               and not exists (select from messages m where m.tenant_id = l.tenant_id and m.group_id = l.message_id
                 and m.state in ${OPEN})),
           contents as (
             delete from message_contents c using ended e
             where c.tenant_id = e.tenant_id and c.message_id = e.message_id),
           noted as (
             delete from unkept_contents u using ended e
             where u.tenant_id = e.tenant_id and u.message_id = e.message_id)
           select (select count(*)::int from looked) as looked, (select count(*)::int from ended) as deleted,
             (select message_id from looked order by message_id desc limit 1) as last`,
    values: [after, limit],
  });
  return rows[0]!;
}
