// What GET /events and GET /events/stream have in common: types, times, and the cursor of the tail.

import { z } from 'zod';

import { idView } from '../../../core/base/id-input.ts';
import { invalidField } from '../../../core/base/errors.ts';
import { FEED_TYPES, type FeedType } from '../../../core/message/event-feed.ts';
import { checkPlace, startTail, type TailPlace } from '../../../core/message/event-tail.ts';
import type { ApiDeps } from '../../deps.ts';
import { decodeCursor, encodeCursor, UUID_KEY } from '../../cursor.ts';

const kind = z.enum(FEED_TYPES);
const MAX_TYPES_CHARS = 200;

const ONE_TYPE = `(?:${FEED_TYPES.join('|')})`;

// Several kinds are written with commas: a query string has no lists.
const types = z
  .string()
  .max(MAX_TYPES_CHARS)
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(kind).min(1))
  .meta({ pattern: `^ *${ONE_TYPE} *(?:, *${ONE_TYPE} *)*$` });

const TYPES = `one or more of ${FEED_TYPES.map((type) => `\`${type}\``).join(', ')}, with commas between them`;

/** The query fields for types: `types`, and `type` as it was named first. */
export const typeQuery = {
  types: types.optional().meta({ description: TYPES, examples: ['open,click'] }),
  type: types.optional().meta({ description: 'the same as `types`', examples: ['bounce'] }),
};

/** An event in the contract's words, as core/message/event-view.ts makes it. */
export const eventView = z
  .object({
    id: idView('evt'),
    type: kind,
    message_id: idView('msg'),
    campaign_id: idView('cmp').nullable(),
    recipient: z.string(),
    domain: z.string(),
    occurred_at: z.iso.datetime(),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'click: `url`, `user_agent`, `ip`, `machine_click`; open: `user_agent`, `ip`, `machine_open`; bounce: ' +
        '`kind`, `class`, `smtp_code`, `enhanced_code`, `diagnostic`, `source`; complaint: `feedback_type`, `source`',
    }),
  })
  .meta({ id: 'Event', description: 'An event of a message' });

/** The types that were asked for. */
export function typesOf(
  query: { types?: FeedType[] | undefined; type?: FeedType[] | undefined },
  otherwise: readonly FeedType[],
): readonly FeedType[] {
  if (query.types && query.type) throw invalidField('type', 'and types are the same. Send one of them');
  return query.types ?? query.type ?? otherwise;
}

/** The cursor of a place in the tail. */
export function tailCursor({ position, eventId }: TailPlace): string {
  return encodeCursor([String(position), eventId]);
}

const TAIL_CURSOR = ['[0-9]{1,15}', UUID_KEY];

/** Cursors of the tail, and where it ends now. */
export const TAIL_CURSORS = [['newest'], TAIL_CURSOR] as const;

/** Where a follower goes on: after its cursor, at the newest event, at a time, else at the oldest event. */
export async function placeOf(
  deps: Pick<ApiDeps, 'db'>,
  tenantId: string,
  query: { after?: string | undefined; since?: Date | undefined },
  field = 'after',
): Promise<TailPlace> {
  if (query.after === undefined) return startTail(deps.db, tenantId, query.since ?? 'oldest');
  if (query.after === 'newest') return startTail(deps.db, tenantId, 'newest');
  const [position, eventId] = decodeCursor(query.after, TAIL_CURSOR, field) as [string, string];
  const place = { position: Number(position), eventId };
  await checkPlace(deps.db, tenantId, place);
  return place;
}
