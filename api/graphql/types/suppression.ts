// Suppressions: addresses that get no mail of the tenant, or no marketing mail.

import { toId } from '../../../core/base/ids.ts';
import {
  MAX_BULK,
  newSuppressions,
  SUPPRESSION_REASONS,
  SUPPRESSION_STREAMS,
} from '../../../core/suppression/suppression-input.ts';
import type { Suppression } from '../../../core/suppression/suppression-store.ts';
import {
  countSuppressions,
  listSuppressions,
  suppress,
  unsuppress,
} from '../../../core/suppression/suppressions.ts';
import { EMAIL_KEY, keyTime, TIME_KEY, timeKey } from '../../cursor.ts';
import type { Builder } from '../builder.ts';
import { asCaller, signedIn } from '../context.ts';
import { connectionCost, resolveForward } from '../page.ts';
import { checkInput } from '../check-input.ts';
import { COUNT_COST, type ListCountTypes } from './list-count.ts';

const CURSOR = [TIME_KEY, EMAIL_KEY];

/** What other types refer to. */
export type SuppressionTypes = ReturnType<typeof addSuppressionTypes>;

/** Adds Suppression, its query and its mutations. */
export function addSuppressionTypes(builder: Builder, { listCount, ageSort }: ListCountTypes) {
  const reason = builder.enumType('SuppressionReason', { values: SUPPRESSION_REASONS });
  const stream = builder.enumType('SuppressionStream', {
    values: SUPPRESSION_STREAMS,
    description:
      'Which mail an entry stops. `all`: every message. `bulk`: campaigns and messages with an unsubscribe link or a ' +
      'List-Unsubscribe header',
  });
  const suppression = builder.objectRef<Suppression>('Suppression').implement({
    description: 'One address of the suppression list',
    fields: (t) => ({
      email: t.exposeString('email'),
      reason: t.expose('reason', { type: reason }),
      stream: t.expose('stream', { type: stream }),
      sourceMessageId: t.id({
        nullable: true,
        description: 'The message that caused it',
        resolve: ({ sourceMessageId: id }) => (id === null ? null : toId('msg', id)),
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  });
  builder.queryField('suppressions', (t) =>
    t.connection({
      type: suppression,
      description: 'Newest first, unless `sort` says otherwise',
      args: {
        reason: t.arg({ type: reason }),
        email: t.arg.string({ description: 'only this address' }),
        sort: t.arg({ type: ageSort }),
      },
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveForward<Suppression>(
          args,
          CURSOR,
          (row) => [timeKey(row.createdAt), row.email],
          ({ after, limit }) =>
            listSuppressions(context.deps.db, signedIn(context).tenantId, {
              limit,
              before: readCursor(after),
              oldestFirst: args.sort === 'oldest',
              reasons: args.reason ? [args.reason] : undefined,
              email: args.email || undefined,
            }),
        ),
    }),
  );

  builder.queryField('suppressionCount', (t) =>
    t.field({
      type: listCount,
      nullable: true,
      description: 'How many entries match; null when counting them takes too long',
      args: { reason: t.arg({ type: reason }), email: t.arg.string({ description: 'only this address' }) },
      complexity: COUNT_COST,
      resolve: (_root, args, context) =>
        countSuppressions(context.deps.db, signedIn(context).tenantId, {
          reasons: args.reason ? [args.reason] : undefined,
          email: args.email || undefined,
        }),
    }),
  );

  const addInput = builder.inputType('AddSuppressionsInput', {
    fields: (t) => ({
      emails: t.stringList({ required: true, description: `1 to ${MAX_BULK}` }),
      reason: t.field({ type: reason, description: 'default: manual' }),
      stream: t.field({
        type: stream,
        description: 'default: bulk with the reason unsubscribe, otherwise all',
      }),
    }),
  });
  const added = builder.objectRef<{ suppressions: Suppression[]; added: number }>('AddSuppressionsPayload');
  added.implement({
    fields: (t) => ({
      suppressions: t.expose('suppressions', {
        type: [suppression],
        description: 'In the order of the input',
      }),
      added: t.exposeInt('added', { description: 'Number of new suppressions' }),
    }),
  });
  builder.mutationField('addSuppressions', (t) =>
    t.field({
      type: added,
      args: { input: t.arg({ type: addInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { emails = [], reason: why, stream: which } = checkInput(newSuppressions, input);
        const made = await suppress(context.deps, ...asCaller(context), emails, why, which);
        return { suppressions: made.entries, added: made.added };
      },
    }),
  );
  const removeInput = builder.inputType('RemoveSuppressionInput', {
    fields: (t) => ({ email: t.string({ required: true }) }),
  });
  const removed = builder.objectRef<{ email: string }>('RemoveSuppressionPayload').implement({
    fields: (t) => ({ email: t.exposeString('email') }),
  });
  builder.mutationField('removeSuppression', (t) =>
    t.field({
      type: removed,
      description: 'A contact who unsubscribed stays unsubscribed',
      args: { input: t.arg({ type: removeInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        return { email: await unsuppress(context.deps, ...asCaller(context), input.email) };
      },
    }),
  );
  return { suppression };
}

function readCursor(after: string[] | null): { createdAt: Date; email: string } | undefined {
  if (after === null) return undefined;
  const [time = '', email = ''] = after;
  return { createdAt: keyTime(time), email };
}
