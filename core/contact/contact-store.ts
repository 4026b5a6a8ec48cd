// Contacts in PostgreSQL. Every statement names the tenant.
// SQL by hand: pages whose cost is that of an index, over joins that are written for it.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import type { Contact, ContactStatus } from './contact.ts';
import { idPage, type IdPage } from '../db/id-page.ts';
import type { Queryable } from '../db/pool.ts';

/** A contact to insert. `emailKey` is the normalized address. `status` null: as the suppression list says. */
export interface ContactRow {
  id: string;
  tenantId: string;
  email: string;
  emailKey: string;
  firstName: string | null;
  lastName: string | null;
  attributes: Record<string, unknown>;
  tags: string[];
  status: ContactStatus | null;
}

/** What changes; a field that is undefined stays. */
export type ContactPatch = {
  [K in Exclude<keyof ContactRow, 'id' | 'tenantId'>]?: ContactRow[K] | undefined;
};

/** Which contacts of a tenant. All of it must match. */
export interface ContactFilter {
  emailKey?: string | undefined;
  listId?: string | undefined;
  tag?: string | undefined;
  status?: ContactStatus | undefined;
  /** Made before this time. */
  until?: Date | undefined;
}

/** A page of those; with `afterKey` in the order of addresses, after this one. */
export type ContactQuery = IdPage & ContactFilter & { afterKey?: string | undefined };

const COLUMNS = `c.id, c.email, c.first_name as "firstName", c.last_name as "lastName", c.attributes, c.tags,
  array(select m.list_id from contact_list_members m
        where m.tenant_id = c.tenant_id and m.contact_id = c.id order by m.list_id) as lists,
  c.status, c.created_at as "createdAt", c.updated_at as "updatedAt"`;

/** Inserts a contact. A second one of the same address, or of the same id, violates a unique index. */
export async function insertContact(db: Queryable, row: ContactRow): Promise<void> {
  await db.query({
    name: 'contact-insert',
    text: `with given as materialized (
             select $1::uuid as id, $2::uuid as tenant_id, $3::text as email, $4::text as email_key,
               $5::text as first_name, $6::text as last_name, $7::jsonb as attributes, $8::text[] as tags,
               coalesce($9, case when exists (
                 select 1 from suppressions s
                 where s.tenant_id = $2 and s.email = $4 and (s.reason in ('unsubscribe', 'complaint') or s.unsubscribed))
                 then 'unsubscribed' else 'subscribed' end) as status, now() as created_at, now() as updated_at),
           made as (
             insert into contacts
               (id, tenant_id, email, email_key, first_name, last_name, attributes, tags, status, created_at, updated_at)
             select given.* from given, ${HERE})
           select 1`,
    values: [
      row.id,
      row.tenantId,
      row.email,
      row.emailKey,
      row.firstName,
      row.lastName,
      JSON.stringify(row.attributes),
      row.tags,
      row.status,
    ],
  });
}

/** Changes what is given. False when there is no such contact. */
export async function updateContact(
  db: Queryable,
  tenantId: string,
  id: string,
  patch: ContactPatch,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'contact-update',
    text: `update contacts set updated_at = now(),
             email = coalesce($3, email), email_key = coalesce($4, email_key),
             first_name = case when $5 then $6 else first_name end,
             last_name = case when $7 then $8 else last_name end,
             attributes = coalesce($9, attributes), tags = coalesce($10, tags), status = coalesce($11, status)
           where tenant_id = $1 and id = $2`,
    values: [
      tenantId,
      id,
      patch.email ?? null,
      patch.emailKey ?? null,
      patch.firstName !== undefined,
      patch.firstName ?? null,
      patch.lastName !== undefined,
      patch.lastName ?? null,
      patch.attributes === undefined ? null : JSON.stringify(patch.attributes),
      patch.tags ?? null,
      patch.status ?? null,
    ],
  });
  return rowCount === 1;
}

/** One contact, or null. */
export async function selectContact(db: Queryable, tenantId: string, id: string): Promise<Contact | null> {
  const { rows } = await db.query<Contact>({
    name: 'contact-by-id',
    text: `select ${COLUMNS} from contacts c where c.tenant_id = $1 and c.id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** A page of contacts. */
export async function selectContacts(
  db: Queryable,
  tenantId: string,
  query: ContactQuery,
): Promise<Contact[]> {
  const { afterKey } = query;
  const { where, order } =
    afterKey === undefined
      ? idPage('c.id', query)
      : { where: 'c.email_key > $2 and $3::uuid is null', order: 'c.email_key' };
  const { rows } = await db.query<Contact>(
    `select ${COLUMNS} from contacts c
     where c.tenant_id = $1 and ${where} and ${FILTER}
     order by ${order} limit $9`,
    [tenantId, afterKey ?? query.before, query.after ?? null, ...filterValues(query), query.limit],
  );
  return rows;
}

/** How many contacts of a tenant match, looking for at most `limit`. */
export async function countContactRows(
  db: Queryable,
  tenantId: string,
  filter: ContactFilter,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ found: number }>(
    `select count(*)::int as found from (
       select from contacts c
       where c.tenant_id = $1 and $2::uuid is null and $3::uuid is null and ${FILTER} limit $9) as first`,
    [tenantId, null, null, ...filterValues(filter), limit],
  );
  return rows[0]!.found;
}

const FILTER = `($4::text is null or c.email_key = $4)
  and ($5::uuid is null or exists (
    select from contact_list_members m
    where m.tenant_id = $1 and m.list_id = $5 and m.contact_id = c.id))
  and ($6::text is null or $6 = any(c.tags))
  and ($7::text is null or c.status = $7)
  and ($8::timestamptz is null or c.created_at < $8)`;

function filterValues({ emailKey, listId, tag, status, until }: ContactFilter): unknown[] {
  return [emailKey ?? null, listId ?? null, tag ?? null, status ?? null, until ?? null];
}

/** What to find contacts by. */
export interface ContactsLike {
  /** Whole addresses, normalized. */
  keys: string[];
  /** A part of an address or a name, in small letters; looked for among the newest contacts only. */
  part: string;
  limit: number;
}

const NEWEST = 20_000; // rows read for a part of an address: about 20 ms

/** Contacts with one of some addresses, or with a part of theirs, newest first. */
export async function selectContactsLike(
  db: Queryable,
  tenantId: string,
  { keys, part, limit }: ContactsLike,
): Promise<Contact[]> {
  const { rows } = await db.query<Contact>({
    name: 'contact-like',
    text: `select ${COLUMNS} from contacts c
           where c.tenant_id = $1 and c.id in (
             select id from contacts where tenant_id = $1 and email_key = any($2)
             union all
             select id from (
               select id, email_key, first_name, last_name from contacts
               where tenant_id = $1 order by id desc limit $5) newest
             where strpos(lower(concat_ws(' ', email_key, first_name, last_name)), $3) > 0)
           order by c.id desc limit $4`,
    values: [tenantId, keys, part, limit, NEWEST],
  });
  return rows;
}

const SAMPLE = 1_000; // contacts: at most 16 MiB of attributes
const MAX_NAMES = 100;

/** Names of the attributes that the tenant's newest 1,000 contacts have, at most 100, the most frequent first. */
export async function selectAttributeNames(db: Queryable, tenantId: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    name: 'contact-attribute-names',
    text: `select name
           from (select attributes from contacts where tenant_id = $1 order by id desc limit ${SAMPLE}) newest,
             jsonb_object_keys(newest.attributes) as name
           group by name order by count(*) desc, name limit ${MAX_NAMES}`,
    values: [tenantId],
  });
  return rows.map(({ name }) => name);
}

/** Deletes contacts and removes them from their lists. Returns how many there were. */
export async function deleteContactRows(
  client: pg.ClientBase,
  tenantId: string,
  ids: string[],
): Promise<number> {
  const held = await holdContacts(client, tenantId, ids, 'update');
  await client.query('delete from contacts where tenant_id = $1 and id = any($2)', [tenantId, held]);
  const ofThem = 'delete from contact_list_members where tenant_id = $1 and contact_id = any($2)';
  await client.query(ofThem, [tenantId, held]);
  return held.length;
}

/** Those of some contacts that are there, in the order of their ids; until the transaction ends none of them is deleted. */
export async function holdContacts(
  client: pg.ClientBase,
  tenantId: string,
  ids: string[],
  lock: 'key share' | 'update' = 'key share',
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from contacts where tenant_id = $1 and id = any($2) order by id for ${lock}`,
    [tenantId, ids],
  );
  return rows.map(({ id }) => id);
}
