// Imports as their tenant sees them, and the work that a scheduler finds to do for them.

import { notFound } from '../base/errors.ts';
import type { Slice } from '../base/slice.ts';
import type { Database } from '../db/pool.ts';
import {
  claimImport,
  deleteAbandonedUploads,
  releaseImport,
  selectImport,
  selectImports,
} from './import-store.ts';
import type { ContactImport } from './contact-import.ts';
import { runImport } from './run-import.ts';

const SILENT_UPLOAD_MS = 3_600_000; // of an upload that no api writes to any more

/** One import. Throws not_found. */
export async function getImport(db: Database, tenantId: string, id: string): Promise<ContactImport> {
  const found = await selectImport(db.pool, tenantId, { id });
  if (!found) throw notFound('import');
  return found;
}

/** A page of imports, newest first, older than the id `before`. */
export function listImports(
  db: Database,
  tenantId: string,
  page: { before: string | null; limit: number },
): Promise<ContactImport[]> {
  return selectImports(db.pool, tenantId, page);
}

/** Works for one slice on the import that waited longest. False when none is waiting. */
export async function workOnImport(db: Database, slice: Slice): Promise<boolean> {
  const claim = await claimImport(db.pool, slice.leaseMs);
  if (claim === null) return false;
  if ((await runImport(db, claim, slice)) === 'more') await releaseImport(db.pool, claim);
  return true;
}

/** Removes what is left of uploads that were never finished. Returns how many. */
export function sweepUploads(db: Database): Promise<number> {
  return deleteAbandonedUploads(db.pool, SILENT_UPLOAD_MS);
}
