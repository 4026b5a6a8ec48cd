// The move that begins every message: accepted. sender/accept/batch.ts describes the whole of it.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import { HERE } from '../db/citus-forms.ts';
import type { messages } from '../db/schema/message.ts';
import { COUNTED_HERE, NEXT_SEQ } from './event-effects.ts';
import type { StoredContent } from './stored-content.ts';

/** One message row to insert, with its content; null for those of a group but the first, whose content it is. */
export type MessageRow = Omit<typeof messages.$inferSelect, 'attempts' | 'createdAt' | 'returned'> & {
  content: StoredContent | null;
  confidential: boolean;
};

/**
 * Inserts messages and their contents, and tells the webhooks that want to know: three statements or four, however many there are.
 */
export async function acceptMessages(client: pg.ClientBase, rows: MessageRow[]): Promise<void> {
  const column = <K extends keyof MessageRow>(key: K) => rows.map((row) => row[key]);
  const contents = rows.flatMap(({ id, tenantId, content }) =>
    content ? [{ id, tenantId, ...content }] : [],
  );
  await Promise.all([
    client.query({
      name: 'message-accept',
      text: `insert into messages (id, tenant_id, domain_id, stream, state, reason, defer_reason, deferred_until,
               next_attempt_at, admitted_day, esp, header_from, rcpt_to, subject, template_id, template_version,
               campaign_id, contact_id, tags, claim_version, claimed_by, expires_at, finished_at, group_id,
               address_field, day_tier, day_cap, day_used, day_reserved, decisions, origin)
             select q.* from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
               $8::timestamptz[], $9::timestamptz[], $10::date[], $11::text[], $12::text[], $13::text[], $14::text[],
               $15::uuid[], $16::int[], $17::uuid[], $18::uuid[], $19::jsonb[], $20::int[], $21::uuid[],
               $22::timestamptz[], $23::timestamptz[], $24::uuid[], $25::text[], $26::smallint[], $27::int[], $28::int[],
               $29::int[], $30::jsonb[], $31::text[]) as q, ${COUNTED_HERE}`,
      values: [
        column('id'),
        column('tenantId'),
        column('domainId'),
        column('stream'),
        column('state'),
        column('reason'),
        column('deferReason'),
        column('deferredUntil'),
        column('nextAttemptAt'),
        column('admittedDay'),
        column('esp'),
        column('headerFrom'),
        column('rcptTo'),
        column('subject'),
        column('templateId'),
        column('templateVersion'),
        column('campaignId'),
        column('contactId'),
        rows.map((row) => JSON.stringify(row.tags)),
        column('claimVersion'),
        column('claimedBy'),
        column('expiresAt'),
        column('finishedAt'),
        column('groupId'),
        column('addressField'),
        column('dayTier'),
        column('dayCap'),
        column('dayUsed'),
        column('dayReserved'),
        rows.map((row) => row.decisions && JSON.stringify(row.decisions)),
        column('origin'),
      ],
    }),
    client.query({
      name: 'message-accept-contents',
      text: `insert into message_contents (message_id, tenant_id, content, plain_octets)
             select * from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::int[])`,
      values: [
        contents.map((row) => row.id),
        contents.map((row) => row.tenantId),
        contents.map((row) => row.bytes),
        contents.map((row) => row.plainOctets),
      ],
    }),
    announceAccepted(client, rows),
  ]);
}

// One look at the endpoints for a whole batch, and nothing else while nobody wants it.
async function announceAccepted(client: pg.ClientBase, rows: MessageRow[]): Promise<void> {
  const { rows: wanting } = await client.query<{ tenantId: string }>({
    name: 'message-wants-accepted',
    text: `select distinct tenant_id as "tenantId" from webhook_endpoints
           where kind = 'events' and enabled and event_types && array['message.accepted', '*']
             and tenant_id = any($1::uuid[])`,
    values: [[...new Set(rows.map(({ tenantId }) => tenantId))]],
  });
  if (wanting.length === 0) return;
  const tenants = new Set(wanting.map(({ tenantId }) => tenantId));
  const told = rows.filter(({ state, tenantId }) => state !== 'dropped' && tenants.has(tenantId));
  const ids = told.map(({ id }) => id).sort();
  await client.query({
    name: 'message-announce-accepted',
    text: `insert into event_outbox (seq, id, tenant_id, type, payload) overriding system value
           with told as materialized (
             select q.event_id, m.tenant_id, jsonb_build_object('at', now(), 'message_id', m.id,
               'domain_id', m.domain_id, 'campaign_id', m.campaign_id, 'recipient', m.rcpt_to, 'from', m.header_from,
               'subject', m.subject, 'tags', m.tags) as payload
             from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as q(id, tenant_id, event_id)
             join messages m on m.id = q.id and m.tenant_id = q.tenant_id and m.id between $4 and $5),
           numbered as materialized (select told.*, ${NEXT_SEQ} as seq from told)
           select seq, event_id, tenant_id, 'message.accepted', payload from numbered, ${HERE}`,
    values: [
      told.map(({ id }) => id),
      told.map(({ tenantId }) => tenantId),
      told.map(() => newUuid()),
      ids[0],
      ids.at(-1),
    ],
  });
}
