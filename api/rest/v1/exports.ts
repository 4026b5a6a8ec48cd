// /exports: filtered lists as CSV files.

import { z } from 'zod';

import { CSV_TYPE } from '../../../core/base/csv.ts';
import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { exportWanted } from '../../../core/export/export-input.ts';
import {
  EXPORT_KEPT_HOURS,
  EXPORT_KINDS,
  EXPORT_STATUSES,
  MAX_EXPORT_ROWS,
  MAX_KEPT_EXPORTS,
  MAX_OPEN_EXPORTS,
  type ListExport,
} from '../../../core/export/export.ts';
import { createExport as create, getExport as get, openExportFile } from '../../../core/export/exports.ts';
import { jsonBody } from '../../endpoint.ts';
import { FileAnswer } from '../file-answer.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Exports';
const SCOPES =
  'The key needs the scope that reading that list needs. The audit log is for signed-in owners only (403 `forbidden`).';
const params = z.object({ id: idInput('exp') });

/** An export in the contract's words. */
const exportView = z
  .object({
    id: idView('exp'),
    kind: z.enum(EXPORT_KINDS),
    status: z.enum(EXPORT_STATUSES),
    rows: z.int().meta({ description: 'rows written so far' }),
    size_bytes: z.int(),
    is_cut: z.boolean().meta({ description: 'the list has more rows than a file holds' }),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable().meta({ description: 'when the file is removed' }),
  })
  .meta({ id: 'Export', description: 'A list as a CSV file' });

/** POST /exports */
export const createExport = defineRoute(
  {
    operationId: 'createExport',
    method: 'POST',
    path: '/exports',
    access: 'any',
    group: GROUP,
    summary: 'Export a list',
    description:
      `Writes a list to a CSV file in the background, newest first, up to ${MAX_EXPORT_ROWS} rows. The file is kept for ` +
      `${EXPORT_KEPT_HOURS} hours; a tenant has at most ${MAX_KEPT_EXPORTS}, the oldest makes place for a new one, and ` +
      `${MAX_OPEN_EXPORTS} are written at once (409 \`conflict\`). Where a spreadsheet would see the begin of a ` +
      `formula, an apostrophe stands before it. ${SCOPES}`,
    body: jsonBody(exportWanted),
    response: exportView,
    status: 201,
    errors: ['invalid_scope', 'conflict'],
    example: { kind: 'messages', filter: { status: 'bounced' } },
  },
  async ({ deps, by, caller, body }) => ({ data: toExportView(await create(deps, by, caller, body)) }),
);

/** GET /exports/{id} */
export const getExport = defineRoute(
  {
    operationId: 'getExport',
    method: 'GET',
    path: '/exports/{id}',
    access: 'any',
    group: GROUP,
    summary: 'Read an export',
    description: `How far it is. 404 once the file is removed. ${SCOPES}`,
    params,
    response: exportView,
    status: 200,
    errors: ['invalid_scope'],
  },
  async ({ deps, caller, params: { id } }) => ({ data: toExportView(await get(deps.db, caller, id)) }),
);

/** GET /exports/{id}/file */
export const getExportFile = defineRoute(
  {
    operationId: 'getExportFile',
    method: 'GET',
    path: '/exports/{id}/file',
    access: 'any',
    group: GROUP,
    summary: 'Download an exported list',
    description: `CSV in UTF-8. 409 \`conflict\` while it is being written. ${SCOPES}`,
    params,
    response: z.instanceof(FileAnswer).meta({ type: 'string', format: 'binary' }),
    file: 'text/csv',
    status: 200,
    errors: ['invalid_scope', 'conflict'],
  },
  async ({ deps, by, caller, params: { id } }) => ({
    data: new FileAnswer({ contentType: CSV_TYPE, ...(await openExportFile(deps, by, caller, id)) }),
  }),
);

function toExportView(one: ListExport): z.input<typeof exportView> {
  return {
    id: toId('exp', one.id),
    kind: one.kind,
    status: one.status,
    rows: one.rows,
    size_bytes: one.sizeBytes,
    is_cut: one.isCut,
    created_at: one.createdAt.toISOString(),
    finished_at: one.finishedAt?.toISOString() ?? null,
    expires_at: one.expiresAt?.toISOString() ?? null,
  };
}
