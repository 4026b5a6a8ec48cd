// Creating, reading, renaming and deleting lists of contacts.

import { notFound } from '../base/errors.ts';
import type { Database } from '../db/pool.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ContactList } from './contact.ts';
import { deleteListRow, insertList, selectList, selectLists, updateList } from './list-store.ts';

/** Creates a list under the given id; the same id again gives the list that is there. */
export async function createList(
  db: Database,
  tenantId: string,
  id: string,
  name: string,
): Promise<ContactList> {
  try {
    await insertList(db.pool, { id, tenantId, name });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  return getList(db, tenantId, id);
}

/** One list. Throws not_found. */
export async function getList(db: Database, tenantId: string, id: string): Promise<ContactList> {
  const list = await selectList(db.pool, tenantId, id);
  if (!list) throw notFound('list');
  return list;
}

/** A page of lists, newest first. */
export function listLists(
  db: Database,
  tenantId: string,
  page: { before: string | null; limit: number },
): Promise<ContactList[]> {
  return selectLists(db.pool, tenantId, page);
}

/** Renames a list. Throws not_found. */
export async function renameList(
  db: Database,
  tenantId: string,
  id: string,
  name: string,
): Promise<ContactList> {
  if (!(await updateList(db.pool, tenantId, id, name))) throw notFound('list');
  return getList(db, tenantId, id);
}

/** Deletes a list; its contacts stay. Throws not_found. */
export async function deleteList(db: Database, tenantId: string, id: string): Promise<void> {
  if (!(await inTransaction(db.pool, (client) => deleteListRow(client, tenantId, id))))
    throw notFound('list');
}
