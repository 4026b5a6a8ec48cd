// Imports as rows: the upload in chunks, the claim of the scheduler that works on one, how far it has come.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import type { CsvLayout } from './csv-layout.ts';
import {
  MAX_ERRORS,
  type ContactImport,
  type ImportClaim,
  type ImportCounts,
  type ImportError,
} from './contact-import.ts';
import type { Queryable } from '../db/pool.ts';

const COLUMNS = `id, case when format = 'suppressions' then 'suppressions' else 'contacts' end as kind,
  layout->'names' as "columnNames", case status when 'uploading' then 'pending' else status end as status, list_id as "listId",
  total, created, updated, skipped, failed, errors, size_bytes::float8 as "sizeBytes",
  cursor_bytes::float8 as "doneBytes", created_at as "createdAt", finished_at as "finishedAt"`;

/** Chunks from this number on hold the rows that failed, by the number of the first row of their batch; they stay. */
const FAILED_SEQ = 1_000_000_000;

/** Opens an import whose bytes are about to come. */
export async function insertUpload(
  db: Queryable,
  upload: { id: string; tenantId: string; format: ImportClaim['format'] },
): Promise<void> {
  await db.query('insert into contact_imports (id, tenant_id, format) values ($1, $2, $3)', [
    upload.id,
    upload.tenantId,
    upload.format,
  ]);
}

/** Stores the next bytes of an upload. The row is touched, so that no sweep treats the upload as abandoned. */
export async function insertChunk(
  db: Queryable,
  chunk: { importId: string; tenantId: string; seq: number; firstByte: number; bytes: Buffer },
): Promise<void> {
  await db.query({
    name: 'import-chunk',
    text: `with touched as (
             update contact_imports set touched_at = now()
             where id = $1 and tenant_id = $3 and status = 'uploading' returning id),
           stored as (
             insert into contact_import_chunks (import_id, seq, tenant_id, first_byte, bytes)
             select id, $2::int, $3, $4::bigint, $5::bytea from touched, ${HERE})
           select 1`,
    values: [chunk.importId, chunk.seq, chunk.tenantId, chunk.firstByte, chunk.bytes],
  });
}

/** The upload is whole: from this commit on a scheduler works it off. Throws a unique violation for a change id that has an import. */
export async function finishUpload(
  db: Queryable,
  upload: {
    id: string;
    tenantId: string;
    changeId: string;
    layout: CsvLayout | null;
    listId: string | null;
    updateExisting: boolean;
    sizeBytes: number;
  },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update contact_imports
     set status = 'pending', effect_id = $3, layout = $4, list_id = $5, update_existing = $6, size_bytes = $7,
         cursor_bytes = $8, next_row = $9, touched_at = now()
     where id = $1 and tenant_id = $2 and status = 'uploading'`,
    [
      upload.id,
      upload.tenantId,
      upload.changeId,
      upload.layout && JSON.stringify(upload.layout),
      upload.listId,
      upload.updateExisting,
      upload.sizeBytes,
      upload.layout?.headerBytes ?? 0,
      upload.layout ? 2 : 1,
    ],
  );
  return rowCount === 1;
}

/** Removes an upload that will not be imported, with its bytes. */
export async function deleteUpload(db: Queryable, tenantId: string, id: string): Promise<void> {
  await db.query(
    `with gone as (
       delete from contact_imports where id = $1 and tenant_id = $2 and status = 'uploading' returning id)
     delete from contact_import_chunks c using gone where c.import_id = gone.id and c.tenant_id = $2`,
    [id, tenantId],
  );
}

/** Removes uploads whose api died: silent for longer than the given time. */
export async function deleteAbandonedUploads(db: Queryable, silentMs: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'import-abandoned',
    text: `with gone as (
             delete from contact_imports
             where status = 'uploading' and finished_at is null
               and touched_at < now() - make_interval(secs => $1::float8 / 1000)
             returning id, tenant_id),
           bytes as (
             delete from contact_import_chunks c using gone
             where c.import_id = gone.id and c.tenant_id = gone.tenant_id)
           select id from gone`,
    values: [silentMs],
  });
  return rowCount ?? 0;
}

/** Stores failed rows as CSV, in the transaction that counts them. */
export async function insertFailedRows(
  db: Queryable,
  claim: ImportClaim,
  firstRow: number,
  bytes: Buffer,
): Promise<void> {
  await db.query({
    name: 'import-failed-rows',
    text: `insert into contact_import_chunks (import_id, seq, tenant_id, first_byte, bytes)
           values ($1, $2, $3, 0, $4)`,
    values: [claim.id, FAILED_SEQ + firstRow, claim.tenantId, bytes],
  });
}

/** The failed rows of an import that come after a place, from null on; null when there are no more. */
export async function selectFailedRows(
  db: Queryable,
  tenantId: string,
  id: string,
  after: number | null,
): Promise<{ seq: number; bytes: Buffer } | null> {
  const { rows } = await db.query<{ seq: number; bytes: Buffer }>({
    name: 'import-read-failed',
    text: `select seq, bytes from contact_import_chunks
           where import_id = $1 and tenant_id = $2 and seq > $3 order by seq limit 1`,
    values: [id, tenantId, after ?? FAILED_SEQ - 1],
  });
  return rows[0] ?? null;
}

/** Kinds of imports: of contacts, or of suppressions. */
export type ImportKind = 'contacts' | 'suppressions';

/** One import, or null; by its id or by the change id of the request that made it. An upload under way is none yet. */
export async function selectImport(
  db: Queryable,
  tenantId: string,
  by: ({ id: string } | { changeId: string }) & { kind?: ImportKind | undefined },
): Promise<ContactImport | null> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['effect_id', by.changeId];
  const { rows } = await db.query<ContactImport>({
    name: `import-by-${column}`,
    text: `select ${COLUMNS} from contact_imports
           where tenant_id = $1 and ${column} = $2 and status <> 'uploading'
             and ($3::text is null or (format = 'suppressions') = ($3 = 'suppressions'))`,
    values: [tenantId, value, by.kind ?? null],
  });
  return rows[0] ?? null;
}

/** A page of a tenant's imports, newest first, older than the id `before`; without uploads under way. */
export async function selectImports(
  db: Queryable,
  tenantId: string,
  page: { before: string | null; limit: number; kind: ImportKind },
): Promise<ContactImport[]> {
  const { rows } = await db.query<ContactImport>({
    name: 'import-page',
    text: `select ${COLUMNS} from contact_imports
           where tenant_id = $1 and status <> 'uploading' and ($2::uuid is null or id < $2)
             and (format = 'suppressions') = ($4 = 'suppressions')
           order by id desc limit $3`,
    values: [tenantId, page.before, page.limit, page.kind],
  });
  return rows;
}

/** Claims the import that waited longest, for a lease; null when there is nothing to do. */
export async function claimImport(db: Queryable, leaseMs: number): Promise<ImportClaim | null> {
  const { rows } = await db.query<ImportClaim>({
    name: 'import-claim',
    text: `update contact_imports i
           set status = 'running', claim_version = claim_version + 1,
               claimed_until = now() + make_interval(secs => $1::float8 / 1000)
           where (id, tenant_id) = (
             select id, tenant_id from contact_imports
             where finished_at is null and status in ('pending', 'running')
               and (claimed_until is null or claimed_until < now())
             order by touched_at limit 1 for update skip locked)
           returning id, tenant_id as "tenantId", format, layout, list_id as "listId",
             update_existing as "updateExisting", size_bytes::float8 as "sizeBytes",
             cursor_bytes::float8 as "cursorBytes", next_row as "nextRow", claim_version as "claimVersion"`,
    values: [leaseMs],
  });
  return rows[0] ?? null;
}

/** Gives a claim back, to the end of the line. */
export async function releaseImport(db: Queryable, claim: ImportClaim): Promise<void> {
  await db.query({
    name: 'import-release',
    text: `update contact_imports set claimed_until = null, touched_at = now()
           where id = $1 and tenant_id = $2 and claim_version = $3`,
    values: [claim.id, claim.tenantId, claim.claimVersion],
  });
}

/** What one transaction did to an import. */
export interface ImportStep {
  cursorBytes: number;
  nextRow: number;
  counts: ImportCounts;
  errors: ImportError[];
  leaseMs: number;
}

/** Moves the cursor, in the transaction that wrote the contacts. False when the claim was lost: roll back. */
export async function advanceImport(
  client: pg.ClientBase,
  claim: ImportClaim,
  step: ImportStep,
): Promise<boolean> {
  const { counts } = step;
  const { rowCount } = await client.query({
    name: 'import-advance',
    text: `update contact_imports
           set cursor_bytes = $4, next_row = $5, total = total + $6, created = created + $7,
               updated = updated + $8, skipped = skipped + $9, failed = failed + $10,
               errors = case when $11 = '[]'::jsonb or jsonb_array_length(errors) >= $12 then errors
                 else jsonb_path_query_array(errors || $11, '$[0 to 99]') end,
               touched_at = now(), claimed_until = now() + make_interval(secs => $13::float8 / 1000)
           where id = $1 and tenant_id = $2 and claim_version = $3 and finished_at is null`,
    values: [
      claim.id,
      claim.tenantId,
      claim.claimVersion,
      step.cursorBytes,
      step.nextRow,
      counts.total,
      counts.created,
      counts.updated,
      counts.skipped,
      counts.failed,
      JSON.stringify(step.errors.slice(0, MAX_ERRORS)),
      MAX_ERRORS,
      step.leaseMs,
    ],
  });
  return rowCount === 1;
}

/**
 * Ends an import and removes its bytes. `problem` is why the file could not be read to its end. An import of which every row
 * failed has failed.
 */
export async function endImport(
  db: Queryable,
  claim: ImportClaim,
  problem: ImportError | null,
): Promise<void> {
  await db.query({
    name: 'import-end',
    text: `with ended as (
             update contact_imports
             set status = case when $4::jsonb is null and (total = 0 or failed < total) then 'completed' else 'failed' end, finished_at = now(),
                 errors = case when $4::jsonb is null then errors
                   else jsonb_path_query_array($4 || errors, '$[0 to 99]') end,
                 claimed_until = null, touched_at = now()
             where id = $1 and tenant_id = $2 and claim_version = $3 and finished_at is null
             returning id)
           delete from contact_import_chunks c using ended
           where c.import_id = ended.id and c.tenant_id = $2 and c.seq < ${FAILED_SEQ}`,
    values: [claim.id, claim.tenantId, claim.claimVersion, problem && JSON.stringify([problem])],
  });
}

/** Which chunk holds a byte of an upload; null past its end. */
export async function findChunk(db: Queryable, claim: ImportClaim, byte: number): Promise<number | null> {
  const { rows } = await db.query<{ seq: number }>({
    name: 'import-find-chunk',
    text: `select seq from contact_import_chunks
           where import_id = $1 and tenant_id = $2 and first_byte <= $3 order by seq desc limit 1`,
    values: [claim.id, claim.tenantId, byte],
  });
  return rows[0]?.seq ?? null;
}

/** One chunk; null past the last. */
export async function readChunk(
  db: Queryable,
  claim: ImportClaim,
  seq: number,
): Promise<{ firstByte: number; bytes: Buffer } | null> {
  const { rows } = await db.query<{ firstByte: number; bytes: Buffer }>({
    name: 'import-read-chunk',
    text: `select first_byte::float8 as "firstByte", bytes from contact_import_chunks
           where import_id = $1 and tenant_id = $2 and seq = $3`,
    values: [claim.id, claim.tenantId, seq],
  });
  return rows[0] ?? null;
}
