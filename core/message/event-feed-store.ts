// The statements of the feed. SQL by hand: pages whose cost is that of an index, over joins that are written for it.

import type pg from 'pg';

import type { EventType } from './event-store.ts';

/** One event as it is read. */
export interface FeedRow {
  /** UUID. */
  id: string;
  type: EventType;
  messageId: string;
  campaignId: string | null;
  recipient: string;
  /** Name of the sending domain. */
  domain: string;
  occurredAt: Date;
  data: Record<string, unknown>;
}

/** Which events, and which part of them. */
export interface StoredFeedQuery {
  types: EventType[];
  messageId?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  before?: string | undefined;
  limit: number;
}

const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

// An id carries the clock of the process that made it, `occurred_at` mostly that of PostgreSQL: what the id says of
// the time is only believed to within ten minutes. Nor is there an id of before 1970.
const idAt = (time: string) => `uuid_floor(greatest(${time}, timestamptz '1970-01-02Z'))`;
const LOW = idAt("$4::timestamptz - interval '10 minutes'");
const HIGH = `least($3::uuid, case when $5::timestamptz is null then '${HIGHEST}'::uuid
  else ${idAt("$5::timestamptz + interval '10 minutes'")} end)`;
const BOUNDS = `id < ${HIGH} and id >= ${LOW}
  and ($4::timestamptz is null or occurred_at >= $4) and ($5::timestamptz is null or occurred_at < $5)`;

// Each type by itself is a walk down the index (tenant_id, type, id), ended by the limit; the page is the newest of
// them. So a page in the middle of millions costs what the first one does. The pairs say the same as `type = …`, but
// in that order only this index has them: left the choice, the planner walks all types by id to find a rare one.
const NEWEST = `
  select e.* from unnest($2::text[]) as wanted(type)
  cross join lateral (
    select * from events
    where tenant_id = $1 and (type, id) < (wanted.type, ${HIGH}) and (type, id) >= (wanted.type, ${LOW}) and ${BOUNDS}
    order by type desc, id desc limit $6) e
  order by e.id desc limit $6`;

const OF_MESSAGE = `
  select * from events
  where message_id = $7 and tenant_id = $1 and type = any($2::text[]) and ${BOUNDS}
    and id >= uuid_floor(uuid_time($7::uuid) - interval '10 minutes')
  order by id desc limit $6`;

/**
 * The columns of a FeedRow: `p` is the row of events, `d` that of its domain, $1 the tenant. A domain that was deleted
 * since is named by the message itself, while that is kept.
 */
export const SHOWN_EVENT = `
  p.id, p.type, p.message_id as "messageId", p.campaign_id as "campaignId", p.recipient,
  coalesce(d.name, (select lower(substring(m.header_from from '@([^@>]+)>?$')) from messages m
    where m.id = p.message_id and m.tenant_id = $1), '') as domain,
  p.occurred_at as "occurredAt", p.data`;

const SHOW = (page: string) => `
  with page as materialized (${page})
  select ${SHOWN_EVENT}
  from page p left join domains d on d.id = p.domain_id and d.tenant_id = $1
  order by p.id desc`;

/** A page of a tenant's events, newest first. */
export async function selectFeed(
  db: Pick<pg.Pool, 'query'>,
  tenantId: string,
  query: StoredFeedQuery,
): Promise<FeedRow[]> {
  const { types, messageId, since, until, before, limit } = query;
  const values = [tenantId, types, before ?? HIGHEST, since ?? null, until ?? null, limit];
  const { rows } = await db.query<FeedRow>(
    messageId === undefined
      ? { name: 'event-feed', text: SHOW(NEWEST), values }
      : { name: 'event-feed-of-message', text: SHOW(OF_MESSAGE), values: [...values, messageId] },
  );
  return rows;
}

/** These events, and those of these messages of the last minute, of the given types; oldest first. */
export async function selectEventsById(
  db: Pick<pg.Pool, 'query'>,
  tenantId: string,
  wanted: { events: string[]; messages: string[]; types: EventType[] },
): Promise<FeedRow[]> {
  const { rows } = await db.query<FeedRow>({
    name: 'event-live',
    text: SHOW(`
      select * from events where tenant_id = $1 and id = any($2::uuid[]) and type = any($4::text[])
      union
      select * from events where tenant_id = $1 and message_id = any($3::uuid[]) and type = any($4::text[])
        and id >= uuid_floor(now() - interval '1 minute')`),
    values: [tenantId, wanted.events, wanted.messages, wanted.types],
  });
  return rows.reverse();
}
