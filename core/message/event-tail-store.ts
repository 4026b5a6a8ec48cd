// The statements of the tail: event_log in order. Writing it is core/outbox/outbox-store.ts.
// SQL by hand: pages whose cost is that of an index, over partitions.

import type pg from 'pg';

import { SHOWN_EVENT, type FeedRow } from './event-feed-store.ts';
import type { EventType } from './event-store.ts';

type Db = Pick<pg.Pool, 'query'>;

/** The part of the log that is kept: positions above `removedTo`, up to `position`. */
export interface LogEnds {
  removedTo: number;
  position: number;
}

/** A row of the log. */
export interface LogRow {
  position: number;
  /** UUID. */
  eventId: string;
}

/** A row of a stretch: an event that was asked for, or the last row of the stretch whatever it is. */
export type StretchRow = LogRow & ({ wanted: true; event: FeedRow | null } | { wanted: false });

/** How far the log of a tenant reaches. */
export async function selectLogEnds(db: Db, tenantId: string): Promise<LogEnds> {
  const { rows } = await db.query<{ position: string; removedTo: string }>({
    name: 'event-log-ends',
    text: `select position, removed_to as "removedTo" from event_log_heads where tenant_id = $1`,
    values: [tenantId],
  });
  return { position: Number(rows[0]?.position ?? 0), removedTo: Number(rows[0]?.removedTo ?? 0) };
}

/** The first row after a position. */
export async function selectLogRowAfter(db: Db, tenantId: string, position: number): Promise<LogRow | null> {
  const { rows } = await db.query<{ position: string; eventId: string }>({
    name: 'event-log-after',
    text: `select position, event_id as "eventId" from event_log
           where tenant_id = $1 and position > $2 order by position limit 1`,
    values: [tenantId, position],
  });
  const [row] = rows;
  return row ? { position: Number(row.position), eventId: row.eventId } : null;
}

/** Whether the log has this event at this position. */
export async function hasLogRow(db: Db, tenantId: string, row: LogRow): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'event-log-has',
    text: 'select from event_log where tenant_id = $1 and position = $2 and event_id = $3',
    values: [tenantId, row.position, row.eventId],
  });
  return rowCount === 1;
}

// The rows of the log first, without their events: `scan` of them at most are looked at, and of these `limit` joined.
// LIMIT 1 makes the planner look each event up by its id, which it cannot know to be cheaper: the log is long, the page
// short.
const STRETCH = `
  with stretch as materialized (
    select position, event_id, type from event_log
    where tenant_id = $1 and position > $2 order by position limit $5),
  page as materialized (
    select position, event_id, type = any($3::text[]) as wanted from stretch
    where type = any($3::text[]) or position = (select max(position) from stretch)
    order by position limit $4)
  select l.position, l.event_id as "eventId", l.wanted, ${SHOWN_EVENT}
  from page l
  left join lateral (select * from events e where e.id = l.event_id and e.tenant_id = $1 and l.wanted limit 1) p on true
  left join domains d on d.id = p.domain_id and d.tenant_id = $1
  order by l.position`;

/**
 * The events of these types among the next `scan` rows of the log, and the last of those rows: at most `limit` in all.
 * An event that retention removed meanwhile is null.
 */
export async function selectStretch(
  db: Db,
  tenantId: string,
  query: { after: number; types: EventType[]; limit: number; scan: number },
): Promise<StretchRow[]> {
  const { after, types, limit, scan } = query;
  const { rows } = await db.query<{ position: string; eventId: string; wanted: boolean } & FeedRow>({
    name: 'event-log-stretch',
    text: STRETCH,
    values: [tenantId, after, types, limit, scan],
  });
  return rows.map(({ position, eventId, wanted, ...event }) => {
    const row = { position: Number(position), eventId };
    return wanted ? { ...row, wanted, event: event.id === null ? null : event } : { ...row, wanted };
  });
}
