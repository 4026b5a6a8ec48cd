// Bulk changes: one thing done to many rows of a list, in the background.

import {
  BULK_ACTIONS,
  BULK_REFUSALS,
  BULK_STATUSES,
  MAX_CHOSEN,
  MAX_OPEN_BULK_CHANGES,
  type BulkChange,
  type BulkRefusal,
} from '../../../core/bulk/bulk-change.ts';
import { bulkWanted } from '../../../core/bulk/bulk-input.ts';
import { createBulkChange, getBulkChange } from '../../../core/bulk/bulk-changes.ts';
import { toId } from '../../../core/base/ids.ts';
import type { Builder } from '../builder.ts';
import { checkInput, requireId } from '../check-input.ts';
import { asCaller, signedIn } from '../context.ts';

/** Adds BulkChange, `bulkChange` and `createBulkChange`. */
export function addBulkTypes(builder: Builder): void {
  const action = builder.enumType('BulkAction', { values: BULK_ACTIONS });
  const status = builder.enumType('BulkStatus', { values: BULK_STATUSES });
  const reason = builder.enumType('BulkRefusalReason', { values: BULK_REFUSALS });
  const refusal = builder.objectRef<{ reason: BulkRefusal; count: number }>('BulkRefusal').implement({
    description: 'Rows that were left as they are, for one reason',
    fields: (t) => ({ reason: t.expose('reason', { type: reason }), count: t.exposeInt('count') }),
  });
  const one = builder.objectRef<BulkChange>('BulkChange').implement({
    description: 'One thing done to many rows of a list, in the background',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('blk', id) }),
      action: t.expose('action', { type: action }),
      status: t.expose('status', {
        type: status,
        description: 'failed: the list was deleted meanwhile; what was done stays done',
      }),
      done: t.exposeInt('done', { description: 'Rows done so far' }),
      refused: t.field({
        type: [refusal],
        resolve: ({ refused }) =>
          BULK_REFUSALS.flatMap((why) => {
            const count = refused[why];
            return count === undefined ? [] : [{ reason: why, count }];
          }),
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    }),
  });
  builder.queryField('bulkChange', (t) =>
    t.field({
      type: one,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) =>
        getBulkChange(context.deps.db, signedIn(context).tenantId, requireId('blk', id, 'bulk change')),
    }),
  );
  const input = builder.inputType('CreateBulkChangeInput', {
    description: `Which rows: up to ${MAX_CHOSEN} by ids or emails, or all of a filter that are there now`,
    fields: (t) => ({
      action: t.field({ type: action, required: true }),
      ids: t.idList({ description: 'Of messages or contacts' }),
      emails: t.stringList({ description: 'Of suppressions' }),
      filter: t.field({
        type: 'JSON',
        description:
          'An object: the filters of the list by their names in REST. Messages need the status deferred',
      }),
      listId: t.id({ description: 'The list that contacts are added to or removed from' }),
    }),
  });
  const payload = builder
    .objectRef<{ bulkChange: BulkChange }>('CreateBulkChangePayload')
    .implement({ fields: (t) => ({ bulkChange: t.expose('bulkChange', { type: one }) }) });
  builder.mutationField('createBulkChange', (t) =>
    t.field({
      type: payload,
      description:
        `Begins it; ${MAX_OPEN_BULK_CHANGES} may be under way at once. Each row is held to the rules of the ` +
        'single mutation; suppressions of complaints and unsubscribes are only removed one by one',
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, { input: given }, context) => ({
        bulkChange: await createBulkChange(context.deps, ...asCaller(context), checkInput(bulkWanted, given)),
      }),
    }),
  );
}
