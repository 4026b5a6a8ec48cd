// What a message says, for those who look at it afterwards.
// SQL by hand: two tables read by the ids that they share, each in one partition.

import type { Queryable } from '../db/pool.ts';
import type { Claim } from './claim.ts';

/** A message as it is composed from; its content is null once that is deleted. */
export interface KeptMessage extends Omit<Claim, 'content'> {
  content: Buffer | null;
  /** When it was last tried to deliver it. */
  lastAttemptAt: Date | null;
}

/** One message of a tenant with its content, which messages of a group have in common; null without the message. */
export async function selectKept(db: Queryable, tenantId: string, id: string): Promise<KeptMessage | null> {
  const { rows } = await db.query<KeptMessage>({
    name: 'message.kept',
    text: `select m.id, m.group_id as "groupId", m.tenant_id as "tenantId", m.domain_id as "domainId", m.stream,
             m.claim_version as "claimVersion", m.attempts, m.rcpt_to as "rcptTo", m.header_from as "headerFrom", m.esp,
             m.campaign_id as "campaignId", m.template_version as "templateVersion", m.created_at as "createdAt",
             coalesce(m.expires_at, m.created_at) as "expiresAt",
             (select c.content from message_contents c
              where c.tenant_id = $1 and c.message_id = coalesce(m.group_id, m.id)) as content,
             (select max(a.at) from message_attempts a
              where a.tenant_id = $1 and a.message_id = m.id) as "lastAttemptAt"
           from messages m where m.tenant_id = $1 and m.id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}
