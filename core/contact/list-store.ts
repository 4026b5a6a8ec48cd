// Lists and who is on them. Whoever adds members holds the list's row, so that a list being deleted gets none.

import { and, asc, desc, eq, gt, inArray, lt, notInArray, type SQL } from 'drizzle-orm';

import type { IdPage } from '../db/id-page.ts';
import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { contactListMembers as members, contactLists as lists } from '../db/schema/contact.ts';
import type { ContactList } from './contact.ts';

/** Inserts a list. */
export async function insertList(
  db: Queryable,
  list: { id: string; tenantId: string; name: string },
): Promise<void> {
  await orm(db).insert(lists).values(list);
}

/** One list, or null. */
export async function selectList(db: Queryable, tenantId: string, id: string): Promise<ContactList | null> {
  const [row] = await selectWhere(db, tenantId, eq(lists.id, id));
  return row ?? null;
}

/** These lists, as far as the tenant has them. */
export function selectListsById(
  db: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ContactList[]> {
  return selectWhere(db, tenantId, inArray(lists.id, ids));
}

/** A page of lists. */
export function selectLists(
  db: Queryable,
  tenantId: string,
  { before, after = null, limit }: IdPage,
): Promise<ContactList[]> {
  const older = before === null ? undefined : lt(lists.id, before);
  const newer = after === null ? undefined : gt(lists.id, after);
  const order = after === null ? desc(lists.id) : asc(lists.id);
  return selectWhere(db, tenantId, and(older, newer)).orderBy(order).limit(limit);
}

function selectWhere(db: Queryable, tenantId: string, which: SQL | undefined) {
  const onList = and(eq(members.listId, lists.id), eq(members.tenantId, lists.tenantId));
  return orm(db)
    .select({
      id: lists.id,
      name: lists.name,
      createdAt: lists.createdAt,
      contactsCount: orm(db).$count(members, onList),
    })
    .from(lists)
    .where(and(eq(lists.tenantId, tenantId), which))
    .$dynamic();
}

/** Renames a list. False when there is none. */
export async function updateList(
  db: Queryable,
  tenantId: string,
  id: string,
  name: string,
): Promise<boolean> {
  const { rowCount } = await orm(db)
    .update(lists)
    .set({ name })
    .where(and(eq(lists.tenantId, tenantId), eq(lists.id, id)));
  return rowCount === 1;
}

/** Deletes a list in a transaction; its contacts stay. False when there was none. */
export async function deleteListRow(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rowCount } = await orm(db)
    .delete(lists)
    .where(and(eq(lists.tenantId, tenantId), eq(lists.id, id)));
  if (rowCount !== 1) return false;
  await orm(db)
    .delete(members)
    .where(and(eq(members.tenantId, tenantId), eq(members.listId, id)));
  return true;
}

/** Holds lists until the transaction ends: none of them can be deleted meanwhile. Returns those that exist. */
export async function holdLists(db: Queryable, tenantId: string, ids: string[]): Promise<Set<string>> {
  const rows = await orm(db)
    .select({ id: lists.id })
    .from(lists)
    .where(and(eq(lists.tenantId, tenantId), inArray(lists.id, ids)))
    .orderBy(lists.id)
    .for('key share');
  return new Set(rows.map((row) => row.id));
}

/** Puts a contact on exactly these lists, in a transaction. */
export async function setLists(
  db: Queryable,
  tenantId: string,
  contactId: string,
  listIds: string[],
): Promise<void> {
  await orm(db)
    .delete(members)
    .where(
      and(
        eq(members.tenantId, tenantId),
        eq(members.contactId, contactId),
        notInArray(members.listId, listIds),
      ),
    );
  await joinLists(db, tenantId, contactId, listIds);
}

/** Puts a contact on these lists too, in a transaction that holds them. */
export async function joinLists(
  db: Queryable,
  tenantId: string,
  contactId: string,
  listIds: string[],
): Promise<void> {
  if (listIds.length === 0) return;
  await orm(db)
    .insert(members)
    .values(listIds.map((listId) => ({ tenantId, listId, contactId })))
    .onConflictDoNothing();
}

/** Puts contacts on a list, in a transaction that holds it and them. Returns how many were not on it. */
export async function fillList(
  db: Queryable,
  tenantId: string,
  listId: string,
  contactIds: string[],
): Promise<number> {
  if (contactIds.length === 0) return 0;
  const { rowCount } = await orm(db)
    .insert(members)
    .values(contactIds.map((contactId) => ({ tenantId, listId, contactId })))
    .onConflictDoNothing();
  return rowCount ?? 0;
}

/** Takes contacts off a list. Returns how many were on it. */
export async function leaveList(
  db: Queryable,
  tenantId: string,
  contactIds: string[],
  listId: string,
): Promise<number> {
  const { rowCount } = await orm(db)
    .delete(members)
    .where(
      and(eq(members.tenantId, tenantId), inArray(members.contactId, contactIds), eq(members.listId, listId)),
    );
  return rowCount ?? 0;
}
