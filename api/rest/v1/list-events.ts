// GET /events: the feed of opens, clicks, bounces and complaints.

import { z } from 'zod';

import { toId } from '../../../core/base/ids.ts';
import {
  DEFAULT_FEED_TYPES,
  FEED_TYPES,
  listEvents as list,
  type FeedEvent,
} from '../../../core/message/event-feed.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { idParam } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

const kind = z.enum(FEED_TYPES);
const MAX_TYPES_CHARS = 200;

// Several kinds are written with commas: a query string has no lists.
const types = z
  .string()
  .max(MAX_TYPES_CHARS)
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(kind).min(1))
  .meta({
    description: `one or more of ${FEED_TYPES.map((type) => `\`${type}\``).join(', ')}, with commas between them`,
    examples: ['open,click'],
  });

const instant = z.iso
  .datetime({ offset: true, error: 'must be a time in RFC 3339, such as 2026-01-31T08:00:00Z' })
  .transform((text) => new Date(text));

/** An event in the contract's words. */
const eventView = z
  .object({
    id: z.string(),
    type: kind,
    message_id: z.string(),
    campaign_id: z.string().nullable(),
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

/** GET /events */
export const listEvents = defineRoute(
  {
    operationId: 'listEvents',
    method: 'GET',
    path: '/events',
    access: 'events:read',
    group: 'Events',
    summary: 'Read the event feed',
    description:
      'Newest first. Without `type`: open, click, bounce and complaint. Opens and clicks of scanners and ' +
      'prefetchers are marked and not counted in rates.',
    query: z.strictObject({
      ...pageQuery,
      type: types.optional(),
      message_id: idParam('msg').optional(),
      since: instant.optional().meta({ description: 'from this time' }),
      until: instant.optional().meta({ description: 'before this time' }),
    }),
    response: pageOf(eventView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const events = await list(deps.db, caller.tenantId, {
      types: query.type ?? DEFAULT_FEED_TYPES,
      messageId: query.message_id,
      since: query.since,
      until: query.until,
      before,
      limit: query.limit + 1,
    });
    return { data: toPage(events, query.limit, (event) => [event.id], toEventView) };
  },
);

function toEventView(event: FeedEvent): z.input<typeof eventView> {
  return {
    id: toId('evt', event.id),
    type: event.type,
    message_id: toId('msg', event.messageId),
    campaign_id: event.campaignId === null ? null : toId('cmp', event.campaignId),
    recipient: event.recipient,
    domain: event.domain,
    occurred_at: event.occurredAt.toISOString(),
    data: event.data,
  };
}
