// Imports of contacts. The files themselves go to REST, which accepts up to 100 MiB as a stream.

import { toId } from '../../../core/base/ids.ts';
import type { ContactImport, ImportError } from '../../../core/contact-import/contact-import.ts';
import { getImport, listImports } from '../../../core/contact-import/find-work.ts';
import type { Builder } from '../builder.ts';
import { signedIn, type GraphqlContext } from '../context.ts';
import { connectionCost, resolveOlder } from '../page.ts';
import { requireId } from '../check-input.ts';

/** Adds ContactImport, `contactImport` and `contactImports`. */
export function addContactImportTypes(builder: Builder): void {
  const status = builder.enumType('ImportStatus', {
    values: ['pending', 'running', 'completed', 'failed'] as const,
  });
  const kind = builder.enumType('ImportKind', {
    description: 'What the rows become',
    values: ['contacts', 'suppressions'] as const,
  });
  const problem = builder.objectRef<ImportError>('ImportError').implement({
    description: 'A failed row',
    fields: (t) => ({
      row: t.exposeInt('row', { description: 'In CSV the header is row 1, in JSON the first contact' }),
      email: t.exposeString('email'),
      message: t.exposeString('message'),
    }),
  });
  const contactImport = builder.objectRef<ContactImport>('ContactImport');
  builder.node(contactImport, {
    id: { resolve: ({ id }) => toId('imp', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'doneBytes' in value,
    loadOne: (id, context) => readImport(context, id),
    fields: (t) => ({
      kind: t.field({ type: kind, resolve: ({ kind: what }) => what }),
      status: t.field({
        type: status,
        resolve: ({ status: now }) => (now === 'uploading' ? 'pending' : now),
      }),
      total: t.exposeInt('total', { description: 'Rows read so far' }),
      created: t.exposeInt('created'),
      updated: t.exposeInt('updated'),
      skipped: t.exposeInt('skipped'),
      failed: t.exposeInt('failed'),
      errors: t.expose('errors', { type: [problem], description: 'The first 100' }),
      listId: t.id({
        nullable: true,
        resolve: ({ listId }) => (listId === null ? null : toId('lst', listId)),
      }),
      progress: t.float({ description: 'Processed part of the file, 0 to 1', resolve: progressOf }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    }),
  });
  builder.queryField('contactImports', (t) =>
    t.connection({
      type: contactImport,
      description: 'Of contacts, newest first',
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveOlder(args, (page) =>
          listImports(context.deps.db, signedIn(context).tenantId, { ...page, kind: 'contacts' }),
        ),
    }),
  );
  builder.queryField('contactImport', (t) =>
    t.field({
      type: contactImport,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => readImport(context, id),
    }),
  );
}

function progressOf({ finishedAt, sizeBytes, doneBytes }: ContactImport): number {
  if (finishedAt) return 1;
  return sizeBytes === 0 ? 0 : doneBytes / sizeBytes;
}

function readImport(context: GraphqlContext, id: string): Promise<ContactImport> {
  return getImport(context.deps.db, signedIn(context).tenantId, requireId('imp', id, 'import'));
}
