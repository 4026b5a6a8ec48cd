// The statements of the roll-up: cursors, what is to be counted, and the counts. roll-up.ts says how they go together.
// SQL by hand: many rows to a statement (unnest), look-ups by id in partitions, and locks whose order matters.

import type pg from 'pg';

import type { EventType } from '../message/event-store.ts';
import { ratedOriginSql } from '../message/rated.ts';
import { COUNTS, type CountName, type Kind } from './analytics.ts';

/** A message to count. */
export interface CountedMessage {
  id: string;
  /** UTC day on which it was accepted. */
  day: string;
  domainId: string;
  campaignId: string | null;
  tags: { name: string; value: string }[];
}

/** A message that was accepted; mail of this service itself and tests are not counted. */
export type AcceptedMessage = CountedMessage & { isCounted: boolean };

/** An event to count, with its message; those are null when retention removed it, or its mail is not counted. */
export interface CountedEvent extends Omit<CountedMessage, 'day'> {
  position: number;
  type: EventType;
  messageId: string | null;
  day: string | null;
  /** Of the last attempt that a provider answered. */
  provider: string | null;
  /** Of an open or click: no machine made it. */
  human: boolean;
  /** Of a bounce: it was delivered before. */
  wasDelivered: boolean;
}

/** What is added to one row of analytics_days. */
export interface Counted {
  kind: Kind;
  day: string;
  value: string;
  domainId: string;
  counts: Partial<Record<CountName, number>>;
}

/** How far a tenant is counted, and up to which id messages may be counted now. */
interface Cursor {
  position: number;
  messageId: string;
  settledId: string;
}

const NIL = '00000000-0000-0000-0000-000000000000';
const SETTLED = (at: string) => `uuid_floor(clock_timestamp() - ${at} * interval '1 millisecond')`;

/** The tenants with messages or events that are not counted yet. */
export async function selectBehind(db: Pick<pg.Pool, 'query'>, settleMs: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'analytics-behind',
    text: `select t.id from tenants t left join analytics_cursors c on c.tenant_id = t.id
           where exists (select from event_log_heads h where h.tenant_id = t.id and h.position > coalesce(c.position, 0))
             or exists (select from messages m where m.tenant_id = t.id
               and m.id > coalesce(c.message_id, $1::uuid) and m.id <= ${SETTLED('$2')})
           order by t.id`,
    values: [NIL, settleMs],
  });
  return rows.map(({ id }) => id);
}

/** A tenant's cursor, made at the beginning of its mail when there is none; locked until the transaction ends. */
export async function lockCursor(client: pg.ClientBase, tenantId: string, settleMs: number): Promise<Cursor> {
  await client.query({
    name: 'analytics-open',
    text: `insert into analytics_cursors (tenant_id, position, message_id) values ($1, 0, $2) on conflict do nothing`,
    values: [tenantId, NIL],
  });
  const { rows } = await client.query<Omit<Cursor, 'position'> & { position: string }>({
    name: 'analytics-lock-cursor',
    text: `select position, message_id as "messageId", greatest(message_id, ${SETTLED('$2')}) as "settledId"
           from analytics_cursors where tenant_id = $1 for update`,
    values: [tenantId, settleMs],
  });
  return { ...rows[0]!, position: Number(rows[0]!.position) };
}

/** Moves it. */
export async function moveCursor(
  client: pg.ClientBase,
  tenantId: string,
  to: { position: number; messageId: string },
): Promise<void> {
  await client.query({
    name: 'analytics-move-cursor',
    text: 'update analytics_cursors set position = $2, message_id = $3 where tenant_id = $1',
    values: [tenantId, to.position, to.messageId],
  });
}

const DAY = "to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD')";
const MESSAGE = `m.id, ${DAY} as day, m.domain_id as "domainId", m.campaign_id as "campaignId", m.tags,
  ${ratedOriginSql('m.origin')} as "isCounted"`;

/** The next messages after the cursor, in order. */
export async function selectMessages(
  client: pg.ClientBase,
  tenantId: string,
  cursor: Cursor,
  limit: number,
): Promise<AcceptedMessage[]> {
  const { rows } = await client.query<AcceptedMessage>({
    name: 'analytics-messages',
    text: `select ${MESSAGE} from messages m
           where m.tenant_id = $1 and m.id > $2 and m.id <= $3 order by m.id limit $4`,
    values: [tenantId, cursor.messageId, cursor.settledId, limit],
  });
  return rows;
}

/** Of these messages, those behind the cursor: nobody else will count them. */
export async function selectLate(
  client: pg.ClientBase,
  tenantId: string,
  ids: string[],
): Promise<AcceptedMessage[]> {
  const { rows } = await client.query<AcceptedMessage>({
    name: 'analytics-late',
    text: `select ${MESSAGE} from messages m join analytics_cursors c on c.tenant_id = m.tenant_id
           where m.tenant_id = $1 and m.id = any($2::uuid[]) and m.id <= c.message_id`,
    values: [tenantId, ids],
  });
  return rows;
}

// LIMIT 1 makes the planner look each row up by its id, in one partition, however long the tables are.
const EVENTS = `
  with stretch as materialized (
    select position, event_id from event_log where tenant_id = $1 and position > $2 order by position limit $3)
  select s.position, s.event_id as id, e.type, e.message_id as "messageId", e.domain_id as "domainId",
    m.campaign_id as "campaignId", ${DAY} as day, coalesce(m.tags, '[]') as tags, a.provider,
    coalesce(is_human(e.type, e.data), false) as human,
    coalesce(e.type = 'bounced' and e.data ->> 'source' = 'dsn' and exists (select from events d
      where d.message_id = e.message_id and d.tenant_id = $1 and d.type = 'delivered'), false) as "wasDelivered"
  from stretch s
  left join lateral (select * from events e where e.id = s.event_id and e.tenant_id = $1 limit 1) e on true
  left join lateral (select m.created_at, m.campaign_id, m.tags from messages m
    where m.id = e.message_id and m.tenant_id = $1 and ${ratedOriginSql('m.origin')} limit 1) m on true
  left join lateral (select a.provider from message_attempts a
    where a.message_id = e.message_id and a.tenant_id = $1 and a.provider is not null
    order by a.attempt desc limit 1) a on true
  order by s.position`;

/** The next events of the log after a position, in order. */
export async function selectEvents(
  client: pg.ClientBase,
  tenantId: string,
  after: number,
  limit: number,
): Promise<CountedEvent[]> {
  const { rows } = await client.query<Omit<CountedEvent, 'position'> & { position: string }>({
    name: 'analytics-events',
    text: EVENTS,
    values: [tenantId, after, limit],
  });
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
}

const ENGAGEMENTS = new Set<EventType>(['open', 'click', 'complaint', 'unsubscribe']);

/** Notes what people did with messages. Returns the ids of the events that are the first of their message and type. */
export async function insertEngagements(
  client: pg.ClientBase,
  tenantId: string,
  events: readonly CountedEvent[],
): Promise<Set<string>> {
  const firsts = new Map<string, CountedEvent>();
  for (const event of events) {
    const isMachine = (event.type === 'open' || event.type === 'click') && !event.human;
    if (event.day === null || isMachine || !ENGAGEMENTS.has(event.type)) continue;
    const key = `${event.messageId} ${event.type}`;
    if (!firsts.has(key)) firsts.set(key, event);
  }
  if (firsts.size === 0) return new Set();
  const wanted = [...firsts.values()];
  const { rows } = await client.query<{ messageId: string; type: string }>({
    name: 'analytics-engagements',
    text: `insert into message_engagements (message_id, type, tenant_id)
           select q.message_id, q.type, $1 from unnest($2::uuid[], $3::text[]) as q(message_id, type)
           on conflict do nothing returning message_id as "messageId", type`,
    values: [tenantId, wanted.map(({ messageId }) => messageId), wanted.map(({ type }) => type)],
  });
  return new Set(rows.map(({ messageId, type }) => firsts.get(`${messageId} ${type}`)!.id));
}

/** Which of these rows (by their place) would be new on a day that has `most` of their kind. */
export async function selectCrowded(
  client: pg.ClientBase,
  tenantId: string,
  rows: readonly Counted[],
  most: number,
): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const { rows: crowded } = await client.query<{ place: number }>({
    name: 'analytics-crowded',
    text: `with wanted as (
             select * from unnest($2::text[], $3::date[], $4::text[], $5::uuid[]) with ordinality
               as q(kind, day, value, domain_id, place)),
           fresh as (
             select w.kind, w.day, w.place, row_number() over (partition by w.kind, w.day order by w.place) as nth
             from wanted w where not exists (select from analytics_days a where a.tenant_id = $1 and a.kind = w.kind
               and a.day = w.day and a.value = w.value and a.domain_id = w.domain_id)),
           there as (
             select kind, day, (select count(*) from analytics_days a
               where a.tenant_id = $1 and a.kind = f.kind and a.day = f.day) as n
             from (select distinct kind, day from fresh) f)
           select (f.place - 1)::int as place from fresh f join there t using (kind, day) where t.n + f.nth > $6`,
    values: [
      tenantId,
      rows.map(({ kind }) => kind),
      rows.map(({ day }) => day),
      rows.map(({ value }) => value),
      rows.map(({ domainId }) => domainId),
      most,
    ],
  });
  return new Set(crowded.map(({ place }) => place));
}

// In the order of the key: whoever adds to the same rows waits, and never in a circle.
const ADD = `
  insert into analytics_days as a (tenant_id, kind, day, value, domain_id, ${COUNTS.join(', ')})
  select $1, * from unnest($2::text[], $3::date[], $4::text[], $5::uuid[],
    ${COUNTS.map((_, at) => `$${at + 6}::int[]`).join(', ')}) as q(kind, day, value, domain_id)
  order by q.kind, q.day, q.value, q.domain_id
  on conflict (tenant_id, kind, day, value, domain_id) do update set
    ${COUNTS.map((name) => `${name} = a.${name} + excluded.${name}`).join(', ')}`;

/** Adds to the counts. */
export async function addCounted(
  client: pg.ClientBase,
  tenantId: string,
  rows: readonly Counted[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query({
    name: 'analytics-add',
    text: ADD,
    values: [
      tenantId,
      rows.map(({ kind }) => kind),
      rows.map(({ day }) => day),
      rows.map(({ value }) => value),
      rows.map(({ domainId }) => domainId),
      ...COUNTS.map((name) => rows.map(({ counts }) => counts[name] ?? 0)),
    ],
  });
}
