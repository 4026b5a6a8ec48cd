// Creating, reading, renaming and deleting lists of contacts.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps, type ChangeEntry } from '../audit/change.ts';
import { notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { IdPage } from '../db/id-page.ts';
import type { Database, Queryable } from '../db/pool.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import type { ContactList } from './contact.ts';
import { deleteListRow, insertList, selectList, selectLists, updateList } from './list-store.ts';

/** Creates a list. A retry of the same request gives the list that is there. */
export async function createList(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  name: string,
): Promise<ContactList> {
  const id = by.changeId ?? newUuid();
  try {
    await change(deps, by, async (client, record) => {
      await insertList(client, { id, tenantId, name });
      await record(listEntry('list.created', tenantId, id, { name }));
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  return getList(deps.db, tenantId, id);
}

/** One list. Throws not_found. */
export function getList(db: Database, tenantId: string, id: string): Promise<ContactList> {
  return requireList(db.pool, tenantId, id);
}

async function requireList(db: Queryable, tenantId: string, id: string): Promise<ContactList> {
  const list = await selectList(db, tenantId, id);
  if (!list) throw notFound('list');
  return list;
}

/** A page of lists. */
export function listLists(db: Database, tenantId: string, page: IdPage): Promise<ContactList[]> {
  return selectLists(db.pool, tenantId, page);
}

/** Renames a list. Throws not_found. */
export async function renameList(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
  name: string,
): Promise<ContactList> {
  await change(deps, by, async (client, record) => {
    if (!(await updateList(client, tenantId, id, name))) throw notFound('list');
    await record(listEntry('list.renamed', tenantId, id, { name }));
  });
  return getList(deps.db, tenantId, id);
}

/** Deletes a list; its contacts stay. Throws not_found. */
export async function deleteList(deps: ChangeDeps, by: Actor, tenantId: string, id: string): Promise<void> {
  await change(deps, by, async (client, record) => {
    const { name } = await requireList(client, tenantId, id);
    if (!(await deleteListRow(client, tenantId, id))) throw notFound('list');
    await record(listEntry('list.deleted', tenantId, id, { name }));
  });
}

function listEntry(
  action: `list.${string}`,
  tenantId: string,
  id: string,
  details: Record<string, unknown>,
): ChangeEntry {
  return { action, tenantId, subject: toId('lst', id), details };
}
