// Writes an export, batch by batch, from where it stands.
// Guarantee: the rows of a batch and the key behind them are stored by one statement and only while the claim holds, so
// that a crash, or a second scheduler that thinks the first one dead, writes every row once.
// Dies anywhere in here: docs/crashes-audience.md, rows export.*.

import { ZodError } from 'zod';

import { monotonicMs } from '../base/clock.ts';
import { CSV_BOM, csvRow } from '../base/csv.ts';
import type { Slice } from '../base/slice.ts';
import type { Database } from '../db/pool.ts';
import { EXPORT_ROWS } from './export-rows.ts';
import { appendToExport, endExport } from './export-store.ts';
import { MAX_EXPORT_BYTES, MAX_EXPORT_ROWS, type ExportClaim } from './export.ts';

const BATCH_ROWS = 1_000; // about 300 KiB and 20 ms of PostgreSQL: rows cost the same from there on

/** Works until the end of the list or of the slice. `ended`: nothing is left to do. Throws when the database is unavailable. */
export async function runExport(db: Database, claim: ExportClaim, slice: Slice): Promise<'ended' | 'more'> {
  const until = monotonicMs() + slice.sliceMs;
  const { tenantId, kind, filter } = claim;
  let { cursor, rows: written, sizeBytes } = claim;
  try {
    while (!slice.signal.aborted && monotonicMs() <= until) {
      const limit = Math.min(BATCH_ROWS, MAX_EXPORT_ROWS - written);
      const isFull = limit === 0 || sizeBytes >= MAX_EXPORT_BYTES;
      const page = await EXPORT_ROWS[kind].read(db, tenantId, filter, cursor, isFull ? 1 : limit);
      if (isFull) return await end(db, claim, page.rows.length > 0);
      const head = sizeBytes === 0 ? CSV_BOM + csvRow(EXPORT_ROWS[kind].columns) : '';
      const bytes = Buffer.from(head + page.rows.map(csvRow).join(''));
      const piece = { bytes, rows: page.rows.length, cursor: page.cursor, leaseMs: slice.leaseMs };
      slice.fail('export.before-batch');
      if (bytes.length > 0 && !(await appendToExport(db.pool, claim, piece))) return 'ended'; // somebody else has it
      slice.fail('export.after-batch');
      if (page.rows.length < limit) return await end(db, claim, false);
      cursor = page.cursor;
      written += page.rows.length;
      sizeBytes += bytes.length;
    }
    return 'more';
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    await endExport(db.pool, claim, { status: 'failed', isCut: false }); // a filter of an older version
    return 'ended';
  }
}

async function end(db: Database, claim: ExportClaim, isCut: boolean): Promise<'ended'> {
  await endExport(db.pool, claim, { status: 'completed', isCut });
  return 'ended';
}
