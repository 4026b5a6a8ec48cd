// POST /contacts/import: many contacts at once, from a CSV file or as JSON; and how far an import has come.

import { z } from 'zod';

import type { Actor } from '../../../core/audit/actor.ts';
import { CSV_TYPE } from '../../../core/base/csv.ts';
import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { importedContact } from '../../../core/contact/contact-input.ts';
import { MAX_JSON_CONTACTS, type ContactImport } from '../../../core/contact-import/contact-import.ts';
import type { ImportKind } from '../../../core/contact-import/import-store.ts';
import { getImport, listImports, openFailedRows } from '../../../core/contact-import/find-work.ts';
import { mappingInput } from '../../../core/contact-import/mapping-input.ts';
import { previewCsv } from '../../../core/contact-import/preview-csv.ts';
import { storeUpload, type StoredUpload } from '../../../core/contact-import/store-upload.ts';
import { runOnce } from '../../../core/idempotency/run-once.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import type { ApiDeps } from '../../deps.ts';
import { FileAnswer } from '../file-answer.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { type Answer } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Imports';
/** Octets of an import; the contract's number. */
export const UPLOAD_BYTES = 100 * 1024 * 1024;
const PREVIEW_BYTES = 1024 * 1024;
/** What the documentation says of the file of failed rows. */
export const FAILED_ROWS =
  'CSV in UTF-8 with the columns of the import, and the reason in the column `import_error`, which an import ignores: ' +
  'correct the rows and import the file. While the import runs, it has the rows that have failed so far.';

/** An import in the contract's words. */
export const importView = z
  .object({
    id: idView('imp'),
    status: z.enum(['pending', 'running', 'completed', 'failed']).meta({
      description: '`failed`: the file could not be read to its end, or every row failed',
    }),
    total: z.int().meta({ description: 'rows read so far' }),
    created: z.int(),
    updated: z.int(),
    skipped: z.int(),
    failed: z.int(),
    errors: z.array(z.object({ row: z.int(), email: z.string(), message: z.string() })),
    list_id: idView('lst').nullable(),
    progress: z.number().meta({ description: 'processed part of the file, 0 to 1' }),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Import', description: 'A bulk import of contacts' });

const importSummary = importView
  .omit({ errors: true })
  .meta({ id: 'ImportSummary', description: 'A bulk import without the errors of its rows' });

const jsonBody = z
  .strictObject({
    contacts: z
      .array(z.union([importedContact, z.unknown().meta({ description: 'a row that fails alone' })]))
      .min(1)
      .max(MAX_JSON_CONTACTS),
    list_id: idInput('lst').optional(),
    update_existing: z.boolean().optional(),
  })
  .meta({ id: 'ImportRequest' });

const previewView = z
  .object({
    columns: z.array(z.object({ name: z.string(), target: z.string() })),
    rows: z.array(z.array(z.string())),
  })
  .meta({ id: 'ImportPreview', description: 'The columns and first rows of a CSV file' });

/** A CSV file as a body. */
export const csvBody = z.string().meta({
  pattern: '^\\ufeff?(?:[^\\r\\n]*[,;\\t])?\\s*"?[Ee][Mm][Aa][Ii][Ll]"?\\s*(?:[,;\\t\\r\\n]|$)',
  description: 'a header row with `email`, then one contact per row; separated by comma, semicolon or tab',
  examples: ['email,first_name,city\nann@example.net,Ann,Bern\n'],
});

/** POST /contacts/import */
export const importContacts = defineRoute(
  {
    operationId: 'importContacts',
    method: 'POST',
    path: '/contacts/import',
    access: 'contacts:write',
    group: GROUP,
    summary: 'Import contacts',
    description:
      'CSV (`text/csv`, options in the query) or JSON (options in the body). Known columns are `email`, `first_name`, ' +
      '`last_name`, `name`, `tags` (separated by `|`), `status`, `subscribed` and `attributes` (a JSON object), in any ' +
      'letter case, and their names in exports of Mailchimp, SendGrid, Postmark, listmonk, Brevo and Mailgun; every ' +
      'other column becomes an attribute. UTF-8, UTF-16 and windows-1252 are detected. The statuses `cleaned`, ' +
      '`bounced`, `complained` and `blocklisted` also suppress the address. In CSV the header is row 1, in JSON the first contact; a bad row does not affect the others. An ' +
      'address that exists already, or comes again in the file, is skipped, or with `update_existing` updated with ' +
      'the fields that the row has; either way it is added to the list. An import never subscribes anybody who ' +
      'unsubscribed or complained.',
    query: z.strictObject({
      list_id: idInput('lst').optional(),
      update_existing: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional(),
      mapping: mappingInput.optional(),
    }),
    upload: { content: { 'application/json': jsonBody, 'text/csv': csvBody }, limitBytes: UPLOAD_BYTES },
    response: importView,
    status: 202,
    idempotency: 'handler',
    example: { contacts: [{ email: 'ann@example.net', first_name: 'Ann' }], update_existing: true },
  },
  async ({ deps, by, caller, query, upload, idempotency, changeId }) => {
    const stored = await storeUpload(deps.db, {
      tenantId: caller.tenantId,
      format: upload!.type === 'text/csv' ? 'csv' : 'json',
      listId: query.list_id ?? null,
      updateExisting: query.update_existing ?? false,
      options: { mapping: query.mapping ?? null },
      chunks: upload!.chunks,
    });
    if (!idempotency) return { data: toImportView(await stored.finish(by, changeId)) };
    return finishOnce(deps, by, { scopeId: caller.tenantId, key: idempotency.key }, stored);
  },
);

/** GET /contacts/imports */
export const listContactImports = defineRoute(
  {
    operationId: 'listImports',
    method: 'GET',
    path: '/contacts/imports',
    access: 'contacts:read',
    group: GROUP,
    summary: 'List imports',
    description: 'Without row errors; read a single import for those.',
    query: z.strictObject(pageQuery),
    response: pageOf(importSummary),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const page = { before, limit: query.limit + 1, kind: 'contacts' } as const;
    const rows = await listImports(deps.db, caller.tenantId, page);
    return { data: toPage(rows, query.limit, (row) => [row.id], toSummary) };
  },
);

/** GET /contacts/imports/{id} */
export const getContactImport = defineRoute(
  {
    operationId: 'getImport',
    method: 'GET',
    path: '/contacts/imports/{id}',
    access: 'contacts:read',
    group: GROUP,
    summary: 'Read an import',
    description: 'Counts grow while it runs. `errors` are the first 100.',
    params: z.object({ id: idInput('imp') }),
    response: importView,
    status: 200,
  },
  async ({ deps, caller, params }) => ({
    data: toImportView(await getImport(deps.db, caller.tenantId, params.id, 'contacts')),
  }),
);

/** GET /contacts/imports/{id}/failed-rows */
export const getFailedRows = defineRoute(
  {
    operationId: 'getImportFailedRows',
    method: 'GET',
    path: '/contacts/imports/{id}/failed-rows',
    access: 'contacts:read',
    group: GROUP,
    summary: 'Download the failed rows of an import',
    description: FAILED_ROWS,
    params: z.object({ id: idInput('imp') }),
    response: z.instanceof(FileAnswer).meta({ type: 'string', format: 'binary' }),
    file: 'text/csv',
    status: 200,
  },
  async ({ deps, by, caller: { tenantId }, params: { id } }) => ({
    data: await failedRowsFile(deps, by, { tenantId, id, kind: 'contacts' }),
  }),
);

/** POST /contacts/import/preview */
export const previewImport = defineRoute(
  {
    operationId: 'previewImport',
    method: 'POST',
    path: '/contacts/import/preview',
    access: 'contacts:write',
    group: GROUP,
    summary: 'Preview an import',
    description:
      'Reads the beginning of a CSV file (at most 1 MiB; the last row may be cut) and returns what each column becomes, ' +
      'in the words of `mapping`, and the first five rows. Nothing is stored.',
    query: z.strictObject({ mapping: mappingInput.optional() }),
    upload: { content: { 'text/csv': csvBody }, limitBytes: PREVIEW_BYTES },
    response: previewView,
    status: 200,
  },
  async ({ query, upload }) => ({
    data: await previewCsv(upload!.chunks, { mapping: query.mapping ?? null }),
  }),
);

/** Finishes an upload. What a key stands for is known only when all bytes are there; a repeated upload is discarded. */
export async function finishOnce(
  deps: Pick<ApiDeps, 'db'>,
  by: Actor,
  request: { scopeId: string; key: string },
  stored: StoredUpload,
): Promise<Answer<z.input<typeof importView>>> {
  try {
    const kept = await runOnce(deps.db, { ...request, bodyHash: stored.bodyHash }, async (changeId) => ({
      status: 202,
      body: toImportView(await stored.finish(by, changeId)),
    }));
    return { data: kept.body as z.input<typeof importView>, replayed: kept.replayed };
  } finally {
    await stored.discard(); // does nothing to what was finished
  }
}

function toSummary(one: ContactImport): z.input<typeof importSummary> {
  const { errors: _, ...summary } = toImportView(one);
  return summary;
}

/** The rows of an import that failed, as a download that leaves an audit row. Throws not_found. */
export async function failedRowsFile(
  { db, noteRead }: Pick<ApiDeps, 'db' | 'noteRead'>,
  by: Actor,
  { tenantId, id, kind }: { tenantId: string; id: string; kind: ImportKind },
): Promise<FileAnswer> {
  const pieces = await openFailedRows(db, tenantId, id, kind);
  const subject = toId('imp', id);
  await noteRead(db.pool, by, { tenantId, action: 'import.failed_rows_downloaded', subject });
  return new FileAnswer({ contentType: CSV_TYPE, filename: 'failed-rows.csv', length: null, pieces });
}

/** An import in the contract's words. */
export function toImportView(one: ContactImport): z.input<typeof importView> {
  const progress = one.finishedAt ? 1 : one.sizeBytes === 0 ? 0 : one.doneBytes / one.sizeBytes;
  return {
    id: toId('imp', one.id),
    status: one.status === 'uploading' ? 'pending' : one.status,
    total: one.total,
    created: one.created,
    updated: one.updated,
    skipped: one.skipped,
    failed: one.failed,
    errors: one.errors,
    list_id: one.listId === null ? null : toId('lst', one.listId),
    progress: Math.round(progress * 1000) / 1000,
    created_at: one.createdAt.toISOString(),
    finished_at: one.finishedAt?.toISOString() ?? null,
  };
}
