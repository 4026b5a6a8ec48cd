// GET /events: the feed of opens, clicks, bounces and complaints, newest first; with `order=asc` the tail, which is read
// on from where one stopped.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { invalidField } from '../../../core/base/errors.ts';
import { instant } from '../../../core/base/time-input.ts';
import { DEFAULT_FEED_TYPES, FEED_TYPES, listEvents as list } from '../../../core/message/event-feed.ts';
import { toEventView } from '../../../core/message/event-view.ts';
import type { Call } from '../../endpoint.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { followEvents } from '../follow-events.ts';
import { cursorInput, pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute } from '../route.ts';
import { eventView, placeOf, TAIL_CURSORS, tailCursor, typeQuery, typesOf } from './event-query.ts';

const MAX_WAIT_SECONDS = 25; // proxies and load balancers commonly cut silent requests off after 30 or 60

const query = z.strictObject({
  ...pageQuery,
  after: cursorInput([UUID_KEY], ...TAIL_CURSORS)
    .optional()
    .meta({
      description:
        'cursor: `next_cursor` of the page before, with the same `order`; with `order=asc` also `newest`',
    }),
  ...typeQuery,
  order: z.enum(['asc', 'desc']).default('desc').meta({
    description: '`desc`: newest first. `asc`: oldest first, in the order of commit, to be followed',
  }),
  wait: z.coerce
    .number()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .optional()
    .meta({ description: 'with `order=asc`: seconds to wait for an event when there is none' }),
  message_id: idInput('msg').optional().meta({ description: '`msg_…`; only with `order=desc`' }),
  since: instant.optional().meta({
    description:
      'from this time. With `order=asc` where to begin, up to ten minutes earlier; ignored when there is `after`',
  }),
  until: instant.optional().meta({ description: 'before this time; only with `order=desc`' }),
});

type EventsCall = Call<'events:read', unknown, z.output<typeof query>, unknown>;

/** GET /events */
export const listEvents = defineRoute(
  {
    operationId: 'listEvents',
    method: 'GET',
    path: '/events',
    access: 'events:read',
    group: 'Events',
    summary: 'Read or follow events',
    description:
      'Newest first, without `types`: open, click, bounce and complaint. Opens and clicks of scanners and prefetchers ' +
      'are marked and not counted in rates.\n\n' +
      'With `order=asc` oldest first in the order of commit, without `types`: all of them. `next_cursor` is never null ' +
      'then: asking again with it as `after` goes on where this page ended, also after days, and gives every event once. ' +
      '`after=newest` begins after the newest event. 410 `gone` when events after the cursor are not kept any more.',
    query,
    response: pageOf(eventView),
    status: 200,
    errors: ['gone'],
  },
  (call) => (call.query.order === 'asc' ? followPage(call) : newestPage(call)),
);

async function newestPage({ deps, caller, query }: EventsCall) {
  if (query.wait !== undefined) throw invalidField('wait', 'needs order=asc');
  const [before] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
  const events = await list(deps.db, caller.tenantId, {
    types: typesOf(query, DEFAULT_FEED_TYPES),
    messageId: query.message_id,
    since: query.since,
    until: query.until,
    before,
    limit: query.limit + 1,
  });
  return { data: toPage(events, query.limit, (event) => [event.id], toEventView) };
}

async function followPage(call: EventsCall) {
  const { deps, caller, query } = call;
  if (query.message_id !== undefined)
    throw invalidField('message_id', 'needs order=desc. GET /transactional/{id} has the events of a message');
  if (query.until !== undefined) throw invalidField('until', 'needs order=desc: what is followed has no end');
  const from = await placeOf(deps, caller.tenantId, query);
  const pages = followEvents(deps, {
    tenantId: caller.tenantId,
    from,
    types: typesOf(query, FEED_TYPES),
    limit: query.limit,
    signal: call.signal,
    readsAhead: false,
    idleMs: (query.wait ?? 0) * 1000,
  });
  for await (const { events, end } of pages) {
    await call.requireAccess(); // the key may have been revoked while the request waited
    return { data: { items: events.map(({ event }) => toEventView(event)), next_cursor: tailCursor(end) } };
  }
  return { data: { items: [], next_cursor: tailCursor(from) } };
}
