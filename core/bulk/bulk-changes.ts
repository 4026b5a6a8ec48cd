// Bulk changes as their tenant sees them, and the work that a scheduler finds to do for them.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { AppError, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Slice } from '../base/slice.ts';
import { selectList } from '../contact/list-store.ts';
import type { Database } from '../db/pool.ts';
import { BULK_NOUNS, MAX_OPEN_BULK_CHANGES, type BulkChange } from './bulk-change.ts';
import type { BulkWanted } from './bulk-input.ts';
import {
  claimBulkChange,
  deleteOldBulkChanges,
  holdOpenBulkChanges,
  insertBulkChange,
  releaseBulkChange,
  selectBulkChange,
} from './bulk-store.ts';
import { runBulkChange } from './run-bulk-change.ts';

/**
 * Begins a bulk change; a retry of the same request gives the one that it made. Throws not_found for a list that is not
 * there, conflict while MAX_OPEN_BULK_CHANGES are under way.
 */
export async function createBulkChange(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  wanted: BulkWanted,
): Promise<BulkChange> {
  const { changeId, ...actor } = by;
  const id = changeId ?? newUuid();
  const { action, listId } = wanted;
  await change(deps, by, async (client, record) => {
    const open = await holdOpenBulkChanges(client, tenantId);
    if (await selectBulkChange(client, tenantId, id)) return;
    if (listId !== null && !(await selectList(client, tenantId, listId))) throw notFound('list');
    if (open >= MAX_OPEN_BULK_CHANGES)
      throw new AppError(
        'conflict',
        `${MAX_OPEN_BULK_CHANGES} changes of many rows are under way. Wait until one of them has ended.`,
      );
    await insertBulkChange(client, { id, tenantId, actor, ...wanted });
    // Without the filter: an address that is looked for does not live on in the audit log.
    const details = { what: BULK_NOUNS[action], ...(wanted.chosen && { rows: wanted.chosen.length }) };
    await record({ tenantId, action: 'bulk.started', subject: toId('blk', id), details });
  });
  return getBulkChange(deps.db, tenantId, id);
}

/** One bulk change. Throws not_found. */
export async function getBulkChange(db: Database, tenantId: string, id: string): Promise<BulkChange> {
  const found = await selectBulkChange(db.pool, tenantId, id);
  if (!found) throw notFound('bulk change');
  return found;
}

/** Works for one slice on the bulk change that waited longest. False when none is waiting. */
export async function workOnBulkChange(db: Database, slice: Slice): Promise<boolean> {
  const claim = await claimBulkChange(db.pool, slice.leaseMs);
  if (claim === null) return false;
  if ((await runBulkChange(db, claim, slice)) === 'more') await releaseBulkChange(db.pool, claim);
  return true;
}

/** Forgets those that ended long ago. Returns how many. */
export function sweepBulkChanges(db: Database): Promise<number> {
  return deleteOldBulkChanges(db.pool);
}
