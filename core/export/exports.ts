// Exports as their tenant sees them, and the work that a scheduler finds to do for them.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import type { NoteRead } from '../audit/note-read.ts';
import { AppError, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Slice } from '../base/slice.ts';
import type { Database } from '../db/pool.ts';
import type { Scope } from '../key/scope.ts';
import type { Role } from '../people/membership-store.ts';
import {
  claimExport,
  deleteExpiredExports,
  deleteOldExports,
  holdOpenExports,
  insertExport,
  readExportFile,
  releaseExport,
  selectExport,
} from './export-store.ts';
import {
  EXPORT_SCOPES,
  MAX_KEPT_EXPORTS,
  MAX_OPEN_EXPORTS,
  type ExportKind,
  type ListExport,
} from './export.ts';
import { runExport } from './run-export.ts';

/** Whoever asks: their tenant, and what they may read. */
interface Reader {
  tenantId: string;
  scopes: ReadonlySet<Scope>;
  /** Only people have one. */
  role?: Role;
}

/**
 * Begins an export; a retry of the same request gives the one that it made. `filter` is one that exportWanted let through.
 * Throws invalid_scope or forbidden for a list that the caller may not read, conflict while MAX_OPEN_EXPORTS are under way.
 */
export async function createExport(
  deps: ChangeDeps,
  by: Actor,
  reader: Reader,
  { kind, filter }: { kind: ExportKind; filter: Record<string, unknown> },
): Promise<ListExport> {
  requireScope(reader, kind);
  const { tenantId } = reader;
  const id = by.changeId ?? newUuid();
  await change(deps, by, async (client, record) => {
    const open = await holdOpenExports(client, tenantId);
    if (await selectExport(client, tenantId, id)) return;
    if (open >= MAX_OPEN_EXPORTS)
      throw new AppError(
        'conflict',
        `${MAX_OPEN_EXPORTS} exports are being written. Wait until one of them has ended.`,
      );
    await deleteOldExports(client, tenantId, MAX_KEPT_EXPORTS - 1 - open);
    await insertExport(client, { id, tenantId, kind, filter });
    // Without the filter: an address that is looked for does not live on in the audit log.
    await record({ tenantId, action: 'export.created', subject: toId('exp', id), details: { kind } });
  });
  return getExport(deps.db, reader, id);
}

/** One export. Throws not_found, also when the file was removed, and invalid_scope or forbidden. */
export async function getExport(db: Database, reader: Reader, id: string): Promise<ListExport> {
  const found = await selectExport(db.pool, reader.tenantId, id);
  if (!found) throw notFound('export');
  requireScope(reader, found.kind);
  return found;
}

/**
 * The file of an export that is whole; the audit log says who gets it. Throws as getExport, conflict while it is not whole, and
 * unavailable when the download cannot be noted.
 */
export async function openExportFile(
  { db, noteRead }: { db: Database; noteRead: NoteRead },
  by: Actor,
  reader: Reader,
  id: string,
): Promise<{ filename: string; length: number; pieces: AsyncIterable<Buffer> }> {
  const found = await getExport(db, reader, id);
  if (found.status !== 'completed')
    throw new AppError('conflict', 'The file is not complete. Wait until the export’s status is completed.');
  const { kind } = found;
  const subject = toId('exp', id);
  await noteRead(db.pool, by, {
    tenantId: reader.tenantId,
    action: 'export.downloaded',
    subject,
    details: { kind },
  });
  return {
    filename: `${kind}-${found.createdAt.toISOString().slice(0, 10)}.csv`,
    length: found.sizeBytes,
    pieces: readExportFile(db.pool, reader.tenantId, id),
  };
}

/** Works for one slice on the export that waited longest. False when none is waiting. */
export async function workOnExport(db: Database, slice: Slice): Promise<boolean> {
  const claim = await claimExport(db.pool, slice.leaseMs);
  if (claim === null) return false;
  if ((await runExport(db, claim, slice)) === 'more') await releaseExport(db.pool, claim);
  return true;
}

/** Removes files past their time. Returns how many. */
export function sweepExports(db: Database): Promise<number> {
  return deleteExpiredExports(db.pool);
}

function requireScope({ scopes, role }: Reader, kind: ExportKind): void {
  const scope = EXPORT_SCOPES[kind];
  if (scope === 'owner') {
    if (role !== 'owner' && role !== 'super_admin')
      throw new AppError('forbidden', 'Only a signed-in owner can export the audit log.');
  } else if (!scopes.has(scope))
    throw new AppError('invalid_scope', `Exporting ${kind} needs the scope ${scope}. Use a key that has it.`);
}
