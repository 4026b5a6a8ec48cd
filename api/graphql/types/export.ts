// Exports of lists. The files themselves are fetched over REST.

import { toId } from '../../../core/base/ids.ts';
import { exportWanted } from '../../../core/export/export-input.ts';
import { EXPORT_KINDS, EXPORT_STATUSES, type ListExport } from '../../../core/export/export.ts';
import { createExport, getExport } from '../../../core/export/exports.ts';
import { EVERY_ROLE, type Builder } from '../builder.ts';
import { checkInput, requireId } from '../check-input.ts';
import { changedBy, signedIn } from '../context.ts';

/** Adds Export, `export` and `createExport`. */
export function addExportTypes(builder: Builder): void {
  const kind = builder.enumType('ExportKind', { values: EXPORT_KINDS });
  const status = builder.enumType('ExportStatus', { values: EXPORT_STATUSES });
  const one = builder.objectRef<ListExport>('Export').implement({
    description: 'A list as a CSV file, written in the background; GET /exports/{id}/file of REST has it',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('exp', id) }),
      kind: t.expose('kind', { type: kind }),
      status: t.expose('status', { type: status }),
      rows: t.exposeInt('rows', { description: 'Rows written so far' }),
      sizeBytes: t.exposeInt('sizeBytes'),
      isCut: t.exposeBoolean('isCut', { description: 'The list has more rows than a file holds' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
      expiresAt: t.expose('expiresAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the file is removed',
      }),
    }),
  });
  builder.queryField('export', (t) =>
    t.field({
      type: one,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) =>
        getExport(context.deps.db, signedIn(context), requireId('exp', id, 'export')),
    }),
  );
  const input = builder.inputType('CreateExportInput', {
    fields: (t) => ({
      kind: t.field({ type: kind, required: true }),
      filter: t.field({
        type: 'JSON',
        description: 'An object: the filters of the list by their names in REST',
      }),
    }),
  });
  const payload = builder
    .objectRef<{ export: ListExport }>('CreateExportPayload')
    .implement({ fields: (t) => ({ export: t.expose('export', { type: one }) }) });
  builder.mutationField('createExport', (t) =>
    t.field({
      ...EVERY_ROLE,
      type: payload,
      description: 'Whoever reads a list may export it; the audit log is for owners',
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, { input: given }, context) => ({
        export: await createExport(
          context.deps,
          changedBy(context),
          signedIn(context),
          checkInput(exportWanted, given),
        ),
      }),
    }),
  );
}
