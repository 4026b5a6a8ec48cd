// GET /events/stream: the tail as Server-Sent Events.

import { z } from 'zod';

import { monotonicMs } from '../../../core/base/clock.ts';
import { AppError } from '../../../core/base/errors.ts';
import { instant } from '../../../core/base/time-input.ts';
import { FEED_TYPES, type FeedType } from '../../../core/message/event-feed.ts';
import type { TailPage, TailPlace } from '../../../core/message/event-tail.ts';
import { toEventView } from '../../../core/message/event-view.ts';
import type { Call } from '../../endpoint.ts';
import type { StreamLimit } from '../../open-streams.ts';
import { StreamAnswer } from '../event-stream.ts';
import { followEvents } from '../follow-events.ts';
import { cursorInput } from '../page.ts';
import { defineRoute } from '../route.ts';
import { placeOf, TAIL_CURSORS, tailCursor, typeQuery, typesOf } from './event-query.ts';

/** Streams that may be open at once: over all api processes, and of one, which may need a megabyte for each. */
const STREAMS = { perKey: 10, perTenant: 30, perProcess: 500 };
const PAGE = 500; // events of one chunk, about 250 kB
const STEP_MS = 1_000; // between two checks of a stream that is silent
const RECHECK_MS = 2_000; // a key that was revoked, or a session that ended, ends the stream about then
const COMMENT_MS = 15_000 - STEP_MS;
const RETRY_MS = 2_000; // before a browser opens it again

const query = z.strictObject({
  ...typeQuery,
  after: cursorInput(...TAIL_CURSORS)
    .optional()
    .meta({
      description:
        'cursor: the `id` of the event read last, or `newest`. The header Last-Event-ID goes before it',
    }),
  since: instant
    .optional()
    .meta({ description: 'where to begin, up to ten minutes earlier, without a cursor' }),
});

type StreamCall = Call<'events:read', unknown, z.output<typeof query>, unknown>;

/** GET /events/stream */
export const streamEvents = defineRoute(
  {
    operationId: 'streamEvents',
    method: 'GET',
    path: '/events/stream',
    access: 'events:read',
    group: 'Events',
    summary: 'Follow events as they happen',
    description:
      'The events of `GET /events?order=asc` as Server-Sent Events: `id` is the cursor, `event` the type, `data` the ' +
      'event. The header `Last-Event-ID` resumes, as browsers do by themselves. A comment comes every 15 seconds. ' +
      `At most ${STREAMS.perKey} streams of a key and ${STREAMS.perTenant} of a tenant are open at once; opening one ` +
      'counts as one request. 410 `gone` when events after the cursor are not kept any more.',
    query,
    response: z.instanceof(StreamAnswer).meta({ type: 'string' }),
    file: 'text/event-stream',
    status: 200,
    errors: ['gone'],
  },
  async (call) => {
    const { deps, caller, query } = call;
    const resumed = call.header('last-event-id');
    const types = typesOf(query, FEED_TYPES);
    const from = await placeOf(
      deps,
      caller.tenantId,
      resumed === undefined ? query : { after: resumed },
      resumed === undefined ? 'after' : 'Last-Event-ID',
    );
    const leave = await deps.streams.open(caller.tenantId, limitsOf(call));
    return { data: new StreamAnswer((signal) => stream(call, from, types, signal), leave) };
  },
);

async function* stream(
  call: StreamCall,
  from: TailPlace,
  types: readonly FeedType[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { tenantId } = call.caller;
  try {
    yield `retry: ${RETRY_MS}\nid: ${tailCursor(from)}\n\n`;
    let checkedAt = monotonicMs();
    let commentedAt = checkedAt;
    for await (const page of followEvents(call.deps, {
      tenantId,
      from,
      types,
      limit: PAGE,
      signal,
      readsAhead: true,
      idleMs: STEP_MS,
    })) {
      const now = monotonicMs();
      if (now - checkedAt >= RECHECK_MS) {
        await call.requireAccess();
        checkedAt = now;
      }
      const isCommentDue = now - commentedAt >= COMMENT_MS;
      if (isCommentDue) commentedAt = now;
      if (page.events.length > 0 || isCommentDue) yield chunkOf(page, isCommentDue);
    }
  } catch (error) {
    // The answer has begun: ending it makes the client come back, and hear then what is wrong.
    if (!(error instanceof AppError)) call.deps.log.warn({ err: error }, 'a stream of events ended');
  }
}

// The cursor comes with a comment too: between events of rare types much may have been looked at.
function chunkOf({ events, end }: TailPage, comment: boolean): string {
  const shown = events.map(
    ({ event, place }) =>
      `id: ${tailCursor(place)}\nevent: ${event.type}\ndata: ${JSON.stringify(toEventView(event))}\n\n`,
  );
  return shown.join('') + (comment ? `: still here\nid: ${tailCursor(end)}\n\n` : '');
}

function limitsOf({ caller }: StreamCall): StreamLimit[] {
  const holder = caller.kind === 'key' ? `key:${caller.keyId}` : `user:${caller.userId}`;
  return [
    { subject: 'event-streams', most: STREAMS.perProcess, what: 'streams of this server', perProcess: true },
    { subject: `event-streams:${holder}`, most: STREAMS.perKey, what: 'streams of a key' },
    { subject: 'event-streams', most: STREAMS.perTenant, what: 'streams of a tenant' },
  ];
}
