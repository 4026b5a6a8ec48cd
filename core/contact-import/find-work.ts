// Imports as their tenant sees them, and the work that a scheduler finds to do for them.

import { CSV_BOM, csvRow } from '../base/csv.ts';
import { notFound } from '../base/errors.ts';
import type { Slice } from '../base/slice.ts';
import type { Database } from '../db/pool.ts';
import {
  claimImport,
  deleteAbandonedUploads,
  releaseImport,
  selectFailedRows,
  selectImport,
  selectImports,
  type ImportKind,
} from './import-store.ts';
import type { ContactImport } from './contact-import.ts';
import { ERROR_COLUMN } from './csv-layout.ts';
import { runImport } from './run-import.ts';

const SILENT_UPLOAD_MS = 3_600_000; // of an upload that no api writes to any more

/** One import, of a kind if one is given. Throws not_found. */
export async function getImport(
  db: Database,
  tenantId: string,
  id: string,
  kind?: ImportKind,
): Promise<ContactImport> {
  const found = await selectImport(db.pool, tenantId, { id, kind });
  if (!found) throw notFound('import');
  return found;
}

/** A page of the imports of a kind, newest first, older than the id `before`. */
export function listImports(
  db: Database,
  tenantId: string,
  page: { before: string | null; limit: number; kind: ImportKind },
): Promise<ContactImport[]> {
  return selectImports(db.pool, tenantId, page);
}

/**
 * The rows of an import that failed, as a CSV file with the columns of the import and the reason in the last one. Throws
 * not_found.
 */
export async function openFailedRows(
  db: Database,
  tenantId: string,
  id: string,
  kind: ImportKind,
): Promise<AsyncIterable<Buffer>> {
  const { columnNames } = await getImport(db, tenantId, id, kind);
  return failedRows(db, tenantId, id, columnNames ?? ['email']);
}

async function* failedRows(
  db: Database,
  tenantId: string,
  id: string,
  names: string[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(CSV_BOM + csvRow([...names, ERROR_COLUMN]));
  for (let after: number | null = null; ;) {
    const found = await selectFailedRows(db.pool, tenantId, id, after);
    if (found === null) return;
    yield found.bytes;
    after = found.seq;
  }
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
