// Lists and who is on them. Whoever adds members holds the list's row, so that a list being deleted gets none.

import type pg from 'pg';

import type { ContactList } from './contact.ts';
import type { Queryable } from '../db/pool.ts';

const COLUMNS = `l.id, l.name, l.created_at as "createdAt",
  (select count(*)::int from contact_list_members m where m.list_id = l.id and m.tenant_id = l.tenant_id)
    as "contactsCount"`;

/** Inserts a list. */
export async function insertList(
  db: Queryable,
  list: { id: string; tenantId: string; name: string },
): Promise<void> {
  await db.query('insert into contact_lists (id, tenant_id, name) values ($1, $2, $3)', [
    list.id,
    list.tenantId,
    list.name,
  ]);
}

/** One list, or null. */
export async function selectList(db: Queryable, tenantId: string, id: string): Promise<ContactList | null> {
  const { rows } = await db.query<ContactList>({
    name: 'list-by-id',
    text: `select ${COLUMNS} from contact_lists l where l.tenant_id = $1 and l.id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** These lists, as far as the tenant has them. */
export async function selectListsById(
  db: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ContactList[]> {
  const { rows } = await db.query<ContactList>({
    name: 'list-by-ids',
    text: `select ${COLUMNS} from contact_lists l where l.tenant_id = $1 and l.id = any($2::uuid[])`,
    values: [tenantId, ids],
  });
  return rows;
}

/** A page of lists, newest first, older than the id `before`. */
export async function selectLists(
  db: Queryable,
  tenantId: string,
  page: { before: string | null; limit: number },
): Promise<ContactList[]> {
  const { rows } = await db.query<ContactList>({
    name: 'list-page',
    text: `select ${COLUMNS} from contact_lists l
           where l.tenant_id = $1 and ($2::uuid is null or l.id < $2) order by l.id desc limit $3`,
    values: [tenantId, page.before, page.limit],
  });
  return rows;
}

/** Renames a list. False when there is none. */
export async function updateList(
  db: Queryable,
  tenantId: string,
  id: string,
  name: string,
): Promise<boolean> {
  const { rowCount } = await db.query('update contact_lists set name = $3 where tenant_id = $1 and id = $2', [
    tenantId,
    id,
    name,
  ]);
  return rowCount === 1;
}

/** Deletes a list; its contacts stay. False when there was none. */
export async function deleteListRow(client: pg.ClientBase, tenantId: string, id: string): Promise<boolean> {
  const { rowCount } = await client.query('delete from contact_lists where tenant_id = $1 and id = $2', [
    tenantId,
    id,
  ]);
  if (rowCount !== 1) return false;
  await client.query('delete from contact_list_members where tenant_id = $1 and list_id = $2', [
    tenantId,
    id,
  ]);
  return true;
}

/** Holds lists until the transaction ends: none of them can be deleted meanwhile. Returns those that exist. */
export async function holdLists(
  client: pg.ClientBase,
  tenantId: string,
  ids: string[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: 'list-hold',
    text: `select id from contact_lists where tenant_id = $1 and id = any($2::uuid[])
           order by id for key share`,
    values: [tenantId, ids],
  });
  return new Set(rows.map((row) => row.id));
}

/** Puts a contact on exactly these lists. */
export async function setLists(
  client: pg.ClientBase,
  tenantId: string,
  contactId: string,
  listIds: string[],
): Promise<void> {
  await client.query(
    `delete from contact_list_members
     where tenant_id = $1 and contact_id = $2 and not list_id = any($3::uuid[])`,
    [tenantId, contactId, listIds],
  );
  await client.query(
    `insert into contact_list_members (tenant_id, list_id, contact_id)
     select $1, list_id, $2 from unnest($3::uuid[]) as q(list_id) on conflict do nothing`,
    [tenantId, contactId, listIds],
  );
}
