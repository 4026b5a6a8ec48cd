// The tail: a tenant's events in the order of commit, read on from where one stopped. Why none is missing and none comes
// twice is said in core/outbox/outbox-store.ts; docs/events.md is for those who follow.
//
// A place names the event that was read last, not only its position: after a restore from a backup the positions of what
// was lost are given again, to other events. Such a place is refused instead of skipping those.

import { AppError } from '../base/errors.ts';
import { NIL_UUID, uuidTimeMs } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { FEED_TYPES, toFeedEvent, toStored, type FeedEvent, type FeedType } from './event-feed.ts';
import {
  hasLogRow,
  selectLogEnds,
  selectLogRowAfter,
  selectStretch,
  type LogRow,
} from './event-tail-store.ts';

type Db = Pick<Database, 'pool'>;

/** How far somebody has read: everything up to a position. The event is NIL_UUID before the first one. */
export type TailPlace = LogRow;

/** Where to begin: at the oldest event that is kept, after the newest, or at a time. */
export type TailStart = 'oldest' | 'newest' | Date;

/** What was read: events with the place of each, and the place up to which everything was looked at. */
export interface TailPage {
  events: { event: FeedEvent; place: TailPlace }[];
  end: TailPlace;
  /** Whether the newest event was reached. */
  isAtEnd: boolean;
}

const SCAN = 5_000; // rows of the log of one statement: about 5 ms when none is of a wanted type
// An id carries the clock of the process that made it, and its transaction may have been open for a while.
const CLOCKS_MS = 10 * 60_000;

/** A place to begin at. With a time: of the first event from then on, or of one up to ten minutes before. */
export async function startTail(db: Db, tenantId: string, start: TailStart): Promise<TailPlace> {
  const { removedTo, position } = await selectLogEnds(db.pool, tenantId);
  const oldest = { position: removedTo, eventId: NIL_UUID };
  if (start === 'oldest') return oldest;
  if (start !== 'newest') return findTime(db, tenantId, start.getTime() - CLOCKS_MS, oldest, position);
  const newest = await selectLogRowAfter(db.pool, tenantId, position - 1);
  return newest ?? oldest;
}

/** Refuses a place after which something is missing: retention removed it, or the database was restored without it. */
export async function checkPlace(db: Db, tenantId: string, place: TailPlace): Promise<void> {
  const { removedTo, position } = await selectLogEnds(db.pool, tenantId);
  if (place.position < removedTo) throw gone('Events after this cursor are not kept any more.');
  if (place.position === removedTo || (place.position === 0 && place.eventId === NIL_UUID)) return;
  if (place.position > position || !(await hasLogRow(db.pool, tenantId, place)))
    throw gone('This cursor is of events that were lost when the database was restored.');
}

/** Reads on from a place: at most `limit` events of these types, out of a bounded part of the log. */
export async function readTail(
  db: Db,
  tenantId: string,
  place: TailPlace,
  wanted: { types: readonly FeedType[]; limit: number },
): Promise<TailPage> {
  const { limit } = wanted;
  const types = toStored(wanted.types);
  const scan = types.length === FEED_TYPES.length ? limit : SCAN;
  const rows = await selectStretch(db.pool, tenantId, { after: place.position, types, limit, scan });
  const end = placeOf(rows.at(-1) ?? place);
  return {
    events: rows.flatMap((row) =>
      row.wanted && row.event ? [{ event: toFeedEvent(row.event), place: placeOf(row) }] : [],
    ),
    end,
    isAtEnd: rows.length < limit && end.position - place.position < scan,
  };
}

// Ids say the time, and rise with the positions but for CLOCKS_MS: half of what is left is left out at each step.
async function findTime(
  db: Db,
  tenantId: string,
  timeMs: number,
  oldest: TailPlace,
  newest: number,
): Promise<TailPlace> {
  let before = oldest;
  let end = newest;
  while (before.position < end) {
    const middle = Math.floor((before.position + end) / 2);
    const row = await selectLogRowAfter(db.pool, tenantId, middle);
    if (row !== null && row.position <= end && uuidTimeMs(row.eventId) < timeMs) before = row;
    else end = middle;
  }
  return before;
}

function placeOf({ position, eventId }: LogRow): TailPlace {
  return { position, eventId };
}

function gone(what: string): AppError {
  return new AppError(
    'gone',
    `${what} Begin again: without a cursor at the oldest event, or with \`since\`.`,
  );
}
