// POST /suppressions/import: a suppression list of another service, from a CSV file.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { getImport } from '../../../core/contact-import/find-work.ts';
import { storeUpload } from '../../../core/contact-import/store-upload.ts';
import { suppressionReason, suppressionStream } from '../../../core/suppression/suppression-input.ts';
import { FileAnswer } from '../file-answer.ts';
import { defineRoute } from '../route.ts';
import {
  csvBody,
  FAILED_ROWS,
  failedRowsFile,
  finishOnce,
  importView,
  toImportView,
  UPLOAD_BYTES,
} from './import-contacts.ts';

const GROUP = 'Suppressions';
const params = z.object({ id: idInput('imp') });

/** POST /suppressions/import */
export const importSuppressions = defineRoute(
  {
    operationId: 'importSuppressions',
    method: 'POST',
    path: '/suppressions/import',
    access: 'suppressions:write',
    group: GROUP,
    summary: 'Import suppressions',
    description:
      'CSV as Mailchimp, SendGrid, Postmark, listmonk, Brevo and Mailgun export it, in the background. The columns are ' +
      '`email`, `reason` and `created_at`, in the names and words of these services; other columns are ignored. Rows ' +
      'without a known reason have that of the query. Entries are merged as by POST /suppressions; an address that ' +
      'has one already counts as skipped.',
    query: z.strictObject({
      reason: suppressionReason.optional().meta({ description: 'default: `manual`' }),
      stream: suppressionStream.optional(),
    }),
    upload: { content: { 'text/csv': csvBody }, limitBytes: UPLOAD_BYTES },
    response: importView,
    status: 202,
    idempotency: 'handler',
  },
  async ({ deps, by, caller, query, upload, idempotency, changeId }) => {
    const stored = await storeUpload(deps.db, {
      tenantId: caller.tenantId,
      format: 'suppressions',
      listId: null,
      updateExisting: false,
      options: { suppress: { reason: query.reason ?? 'manual', stream: query.stream ?? null } },
      chunks: upload!.chunks,
    });
    if (!idempotency) return { data: toImportView(await stored.finish(by, changeId)) };
    return finishOnce(deps, by, { scopeId: caller.tenantId, key: idempotency.key }, stored);
  },
);

/** GET /suppressions/imports/{id} */
export const getSuppressionImport = defineRoute(
  {
    operationId: 'getSuppressionImport',
    method: 'GET',
    path: '/suppressions/imports/{id}',
    access: 'suppressions:read',
    group: GROUP,
    summary: 'Read an import of suppressions',
    params,
    response: importView,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => ({
    data: toImportView(await getImport(deps.db, caller.tenantId, id, 'suppressions')),
  }),
);

/** GET /suppressions/imports/{id}/failed-rows */
export const getSuppressionFailedRows = defineRoute(
  {
    operationId: 'getSuppressionImportFailedRows',
    method: 'GET',
    path: '/suppressions/imports/{id}/failed-rows',
    access: 'suppressions:read',
    group: GROUP,
    summary: 'Download the failed rows of an import of suppressions',
    description: FAILED_ROWS,
    params,
    response: z.instanceof(FileAnswer).meta({ type: 'string', format: 'binary' }),
    file: 'text/csv',
    status: 200,
  },
  async ({ deps, by, caller: { tenantId }, params: { id } }) => ({
    data: await failedRowsFile(deps, by, { tenantId, id, kind: 'suppressions' }),
  }),
);
