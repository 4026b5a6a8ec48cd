// Events: what happened to the tenant's mail, as in REST's feed.

import { invalidField } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import {
  DEFAULT_FEED_TYPES,
  FEED_TYPES,
  listEvents,
  type FeedEvent,
  type FeedType,
} from '../../../core/message/event-feed.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import { UUID_KEY } from '../../cursor.ts';
import { connectionCost, resolveForward } from '../page.ts';
import { requireId } from '../check-input.ts';

/** Adds Event and `events`. */
export function addEventTypes(builder: Builder) {
  const event = builder.objectRef<FeedEvent>('Event').implement({
    description: 'An event of a message',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('evt', id) }),
      type: t.exposeString('type'),
      messageId: t.id({ resolve: ({ messageId }) => toId('msg', messageId) }),
      campaignId: t.id({
        nullable: true,
        resolve: ({ campaignId }) => (campaignId === null ? null : toId('cmp', campaignId)),
      }),
      recipient: t.exposeString('recipient'),
      domain: t.exposeString('domain'),
      occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
      data: t.expose('data', { type: 'JSON', description: 'As in REST; untrusted content' }),
    }),
  });
  builder.queryField('events', (t) =>
    t.connection({
      type: event,
      description: 'Newest first',
      args: {
        types: t.arg.stringList({ description: `of ${FEED_TYPES.join(', ')}; default: the first four` }),
        messageId: t.arg.id(),
        since: t.arg({ type: 'DateTime', description: 'from this time' }),
        until: t.arg({ type: 'DateTime', description: 'before this time' }),
      },
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) => {
        const filter = {
          types: readTypes(args.types),
          messageId: args.messageId ? requireId('msg', args.messageId, 'message') : undefined,
          since: args.since ?? undefined,
          until: args.until ?? undefined,
        };
        return resolveForward<FeedEvent>(
          args,
          [UUID_KEY],
          (row) => [row.id],
          ({ after, limit }) =>
            listEvents(context.deps.db, signedIn(context).tenantId, { ...filter, before: after?.[0], limit }),
        );
      },
    }),
  );
  return { event };
}

/** Types as requested; throws validation_failed for one that the feed does not know. */
export function readTypes(types: readonly string[] | null | undefined): readonly FeedType[] {
  if (!types) return DEFAULT_FEED_TYPES;
  const known = types.filter((type): type is FeedType => (FEED_TYPES as string[]).includes(type));
  if (known.length === 0 || known.length < types.length)
    throw invalidField('types', `must be of ${FEED_TYPES.join(', ')}`);
  return known;
}

/** What other type files refer to. */
export type EventTypes = ReturnType<typeof addEventTypes>;
