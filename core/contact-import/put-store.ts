// Puts a batch of imported contacts into the record: one statement for the contacts, one for their list.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import type { ImportedContact } from './read-row.ts';

/** A batch of contacts of one tenant, each address once. */
export interface ContactBatch {
  tenantId: string;
  contacts: (ImportedContact & { id: string })[];
  /** Whether a contact that is there is changed; fields that a row leaves empty stay as they are. */
  updateExisting: boolean;
  /** The list that all of them are put on, those included that stay as they are. */
  listId: string | null;
}

/** What became of the addresses, by normalized address; one that is missing was left as it was. */
export type PutOutcome = Map<string, 'created' | 'updated'>;

const TAG_BREAK = '\u001f'; // no tag has a control character

/**
 * Puts a batch. Nobody who unsubscribed or complained is subscribed by it: the status only ever goes down, and a new
 * contact begins as the suppression list says. Rows are locked in the order of the addresses, so that two imports at
 * the same time cannot deadlock.
 */
export async function putContacts(client: pg.ClientBase, batch: ContactBatch): Promise<PutOutcome> {
  const contacts = [...batch.contacts].sort((a, b) => (a.emailKey < b.emailKey ? -1 : 1));
  const { rows } = await client.query<{ id: string; emailKey: string; created: boolean }>({
    name: 'contacts-put',
    text: `with q as (
             select * from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[],
               $9::text[]) as q(id, email, email_key, first_name, last_name, attributes, tags, status)),
           left_us as materialized (
             select email from suppressions
             where tenant_id = $1 and email = any($4::text[]) and (reason in ('unsubscribe', 'complaint') or unsubscribed)),
           given as materialized (
             select q.id, $1::uuid as tenant_id, q.email, q.email_key, q.first_name, q.last_name, q.attributes,
               string_to_array(coalesce(q.tags, ''), '${TAG_BREAK}') as tags,
               case when l.email is not null or q.status = 'unsubscribed' then 'unsubscribed' else 'subscribed' end
                 as status, now() as now
             from q left join left_us l on l.email = q.email_key order by q.email_key),
           put as (
           insert into contacts as c
             (id, tenant_id, email, email_key, first_name, last_name, attributes, tags, status, created_at, updated_at)
           select id, tenant_id, email, email_key, first_name, last_name, attributes, tags, status, now, now from given, ${HERE}
           on conflict (tenant_id, email_key) do update
             set first_name = coalesce(excluded.first_name, c.first_name),
                 last_name = coalesce(excluded.last_name, c.last_name),
                 attributes = c.attributes || excluded.attributes,
                 tags = case when excluded.tags = '{}' then c.tags else excluded.tags end,
                 status = case when excluded.status = 'unsubscribed' then excluded.status else c.status end,
                 updated_at = excluded.updated_at
             where $10
           returning c.id, c.email_key, c.xmax = 0 as created)
           select id, email_key as "emailKey", created from put`,
    values: [
      batch.tenantId,
      contacts.map((one) => one.id),
      contacts.map((one) => one.email),
      contacts.map((one) => one.emailKey),
      contacts.map((one) => one.firstName),
      contacts.map((one) => one.lastName),
      contacts.map((one) => JSON.stringify(one.attributes)),
      contacts.map((one) => one.tags?.join(TAG_BREAK) ?? null),
      contacts.map((one) => one.status),
      batch.updateExisting,
    ],
  });
  const outcome: PutOutcome = new Map(rows.map((row) => [row.emailKey, row.created ? 'created' : 'updated']));
  if (batch.listId !== null) {
    const known = rows.map((row) => row.id);
    const others = contacts.map((one) => one.emailKey).filter((key) => !outcome.has(key));
    await addMembers(client, batch.tenantId, batch.listId, known, others);
  }
  return outcome;
}

async function addMembers(
  client: pg.ClientBase,
  tenantId: string,
  listId: string,
  ids: string[],
  emailKeys: string[],
): Promise<void> {
  await client.query({
    name: 'contacts-add-members',
    text: `insert into contact_list_members (tenant_id, list_id, contact_id)
           select $1, $2, id from (
             select id from unnest($3::uuid[]) as q(id)
             union all
             select c.id from contacts c where c.tenant_id = $1 and c.email_key = any($4::text[])) as chosen
           order by id
           on conflict do nothing`,
    values: [tenantId, listId, ids, emailKeys],
  });
}
