// Exports as rows: the claim of the scheduler that writes one, its file in chunks, how far it has come.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import type { Queryable } from '../db/pool.ts';
import { EXPORT_KEPT_HOURS, type ExportClaim, type ListExport } from './export.ts';

const COLUMNS = `id, kind, status, rows, size_bytes::float8 as "sizeBytes", is_cut as "isCut",
  created_at as "createdAt", finished_at as "finishedAt", expires_at as "expiresAt"`;

/** Until the end of the transaction nobody else begins an export of the tenant. Returns how many are under way. */
export async function holdOpenExports(client: pg.ClientBase, tenantId: string): Promise<number> {
  await client.query(`select pg_advisory_xact_lock(hashtext('postrider:exports'), hashtext($1))`, [tenantId]);
  const { rows } = await client.query<{ open: number }>(
    'select count(*)::int as open from list_exports where tenant_id = $1 and finished_at is null',
    [tenantId],
  );
  return rows[0]!.open;
}

/** Adds an export for a scheduler to write. */
export async function insertExport(
  client: pg.ClientBase,
  one: Pick<ExportClaim, 'id' | 'tenantId' | 'kind' | 'filter'>,
): Promise<void> {
  await client.query(`insert into list_exports (id, tenant_id, kind, filter) values ($1, $2, $3, $4)`, [
    one.id,
    one.tenantId,
    one.kind,
    JSON.stringify(one.filter),
  ]);
}

/** Removes what ended, with its files, but for the newest so many. */
export async function deleteOldExports(client: pg.ClientBase, tenantId: string, kept: number): Promise<void> {
  await client.query(
    `with gone as (
       delete from list_exports where tenant_id = $1 and id in (
         select id from list_exports where tenant_id = $1 and finished_at is not null
         order by created_at desc, id desc offset $2)
       returning id)
     delete from list_export_chunks c using gone where c.export_id = gone.id and c.tenant_id = $1`,
    [tenantId, kept],
  );
}

/** Removes files past their time. Returns how many. */
export async function deleteExpiredExports(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ gone: number }>({
    name: 'export-expired',
    text: `with gone as (
             delete from list_exports where expires_at < now() returning id, tenant_id),
           bytes as (
             delete from list_export_chunks c using gone
             where c.export_id = gone.id and c.tenant_id = gone.tenant_id)
           select count(*)::int as gone from gone`,
  });
  return rows[0]!.gone;
}

/** One export, or null. */
export async function selectExport(db: Queryable, tenantId: string, id: string): Promise<ListExport | null> {
  const { rows } = await db.query<ListExport>({
    name: 'export-by-id',
    text: `select ${COLUMNS} from list_exports where tenant_id = $1 and id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** Claims the export that waited longest, for a lease; null when there is nothing to do. */
export async function claimExport(db: Queryable, leaseMs: number): Promise<ExportClaim | null> {
  const { rows } = await db.query<ExportClaim>({
    name: 'export-claim',
    text: `update list_exports e
           set status = 'running', claim_version = claim_version + 1,
               claimed_until = now() + make_interval(secs => $1::float8 / 1000)
           where (id, tenant_id) = (
             select id, tenant_id from list_exports
             where finished_at is null and (claimed_until is null or claimed_until < now())
             order by touched_at limit 1 for update skip locked)
           returning id, tenant_id as "tenantId", kind, filter, cursor, rows,
             size_bytes::float8 as "sizeBytes", claim_version as "claimVersion"`,
    values: [leaseMs],
  });
  return rows[0] ?? null;
}

/** Gives a claim back, to the end of the line. */
export async function releaseExport(db: Queryable, claim: ExportClaim): Promise<void> {
  await db.query({
    name: 'export-release',
    text: `update list_exports set claimed_until = null, touched_at = now()
           where id = $1 and tenant_id = $2 and claim_version = $3 and finished_at is null`,
    values: [claim.id, claim.tenantId, claim.claimVersion],
  });
}

/** Stores the next piece of the file and moves the cursor behind it, in one statement. False when the claim was lost. */
export async function appendToExport(
  db: Queryable,
  claim: ExportClaim,
  piece: { bytes: Buffer; rows: number; cursor: string[] | null; leaseMs: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'export-append',
    text: `with moved as (
             update list_exports
             set cursor = coalesce($4::jsonb, cursor), rows = rows + $5, chunks = chunks + 1,
                 size_bytes = size_bytes + length($6::bytea), touched_at = now(),
                 claimed_until = now() + make_interval(secs => $7::float8 / 1000)
             where id = $1 and tenant_id = $2 and claim_version = $3 and finished_at is null
             returning id, tenant_id, chunks),
           stored as (
             insert into list_export_chunks (export_id, tenant_id, seq, bytes)
             select id, tenant_id, chunks, $6 from moved, ${HERE})
           select 1 from moved`,
    values: [
      claim.id,
      claim.tenantId,
      claim.claimVersion,
      piece.cursor && JSON.stringify(piece.cursor),
      piece.rows,
      piece.bytes,
      piece.leaseMs,
    ],
  });
  return rowCount === 1;
}

/** Ends an export; the file is kept for EXPORT_KEPT_HOURS from now. */
export async function endExport(
  db: Queryable,
  claim: ExportClaim,
  end: { status: 'completed' | 'failed'; isCut: boolean },
): Promise<void> {
  await db.query({
    name: 'export-end',
    text: `update list_exports
           set status = $4, is_cut = $5, finished_at = now(), claimed_until = null,
               expires_at = now() + make_interval(hours => $6)
           where id = $1 and tenant_id = $2 and claim_version = $3 and finished_at is null`,
    values: [claim.id, claim.tenantId, claim.claimVersion, end.status, end.isCut, EXPORT_KEPT_HOURS],
  });
}

/** The file of an export, piece by piece. */
export async function* readExportFile(db: Queryable, tenantId: string, id: string): AsyncGenerator<Buffer> {
  for (let seq = 1; ; seq++) {
    const { rows } = await db.query<{ bytes: Buffer }>({
      name: 'export-read-chunk',
      text: 'select bytes from list_export_chunks where export_id = $1 and tenant_id = $2 and seq = $3',
      values: [id, tenantId, seq],
    });
    if (!rows[0]) return;
    yield rows[0].bytes;
  }
}
