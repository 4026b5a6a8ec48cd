// The statements of the index for search. segments.ts says what it is.
// SQL by hand: many rows to a statement (unnest), and reads whose cost is that of an index.

import type pg from 'pg';

import type { Queryable } from '../../db/pool.ts';
import { MESSAGE_DOMAIN, MESSAGE_FROM } from '../message-columns.ts';
import { MAX_SEGMENT_SIZE, SEGMENT_SIZE } from './positions.ts';
import type { SearchText } from './terms.ts';

/** Ids above one and up to another. */
export interface Uncovered {
  tenantId: string;
  /** Exclusive. */
  afterId: string;
  /** Inclusive. */
  untilId: string;
}

/** A segment without its content. */
export interface SegmentRange {
  id: string;
  afterId: string;
  size: number;
}

/** Where in a segment one of the terms occurs. */
export interface Hit {
  segmentId: string;
  term: string;
  positions: Buffer;
}

const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * What is to be indexed, for each tenant at most one range: what follows its last segment, once that is a whole segment
 * of messages that are older than `settleMs`; or what lies before a segment without being in one.
 */
export async function selectUncovered(db: Queryable, settleMs: number): Promise<Uncovered[]> {
  const { rows } = await db.query<Uncovered>({
    name: 'segments-uncovered',
    text: `with gaps as (
             select distinct on (tenant_id) tenant_id, before, after_id
             from (select tenant_id, id, after_id,
                     coalesce(lag(id) over (partition by tenant_id order by id), $1::uuid) as before
                   from message_segments) s
             where after_id <> before order by tenant_id, id)
           select tenant_id as "tenantId", before as "afterId", after_id as "untilId" from gaps
           union all
           select t.id, last.id, full_one.id
           from tenants t
           cross join lateral (
             select coalesce((select s.id from message_segments s where s.tenant_id = t.id
                              order by s.id desc limit 1), $1::uuid) as id) last
           cross join lateral (
             select m.id from messages m
             where m.tenant_id = t.id and m.id > last.id
               and m.id < uuid_floor(clock_timestamp() - $3 * interval '1 millisecond')
             order by m.id limit 1 offset $2 - 1) full_one
           where not exists (select from gaps g where g.tenant_id = t.id)`,
    values: [NIL, SEGMENT_SIZE, settleMs],
  });
  return rows;
}

/** The messages of a range to index, in order; at most MAX_SEGMENT_SIZE. */
export async function selectTexts(
  client: pg.ClientBase,
  { tenantId, afterId, untilId }: Uncovered,
): Promise<({ id: string } & SearchText)[]> {
  const { rows } = await client.query<{ id: string } & SearchText>({
    name: 'segments-texts',
    text: `select m.id, m.rcpt_to as "to", m.subject, ${MESSAGE_DOMAIN} as domain, m.campaign_id as "campaignId", m.tags
           ${MESSAGE_FROM}
           where m.tenant_id = $1 and m.id > $2 and m.id <= $3 order by m.id limit $4`,
    values: [tenantId, afterId, untilId, MAX_SEGMENT_SIZE],
  });
  return rows;
}

/** Stores a segment with its terms, in the order of the index. Terms of a segment that was forgotten may be there still. */
export async function insertSegment(
  client: pg.ClientBase,
  segment: { tenantId: string; id: string; afterId: string; ids: string[] },
  terms: { term: string; positions: Buffer }[],
): Promise<void> {
  const ids = Buffer.from(segment.ids.join('').replaceAll('-', ''), 'hex');
  await client.query({
    name: 'segments-insert',
    text: 'insert into message_segments (id, tenant_id, after_id, ids) values ($1, $2, $3, $4)',
    values: [segment.id, segment.tenantId, segment.afterId, ids],
  });
  await client.query({
    name: 'segments-insert-terms',
    text: `insert into message_terms (tenant_id, term, segment_id, positions)
           select $1, t.term, $2, t.positions from unnest($3::text[], $4::bytea[]) as t(term, positions)
           order by t.term collate "C"
           on conflict (tenant_id, term, segment_id) do update set positions = excluded.positions`,
    values: [segment.tenantId, segment.id, terms.map((one) => one.term), terms.map((one) => one.positions)],
  });
}

/** Says that there are no messages in a range: the segment that follows it begins there. */
export async function closeGap(
  client: pg.ClientBase,
  { tenantId, afterId, untilId }: Uncovered,
): Promise<void> {
  await client.query({
    name: 'segments-close-gap',
    text: 'update message_segments set after_id = $2 where tenant_id = $1 and after_id = $3',
    values: [tenantId, afterId, untilId],
  });
}

/** Whether some segment has a part of the range. */
export async function isCovered(
  client: pg.ClientBase,
  { tenantId, afterId, untilId }: Uncovered,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'segments-is-covered',
    text: 'select from message_segments where tenant_id = $1 and id > $2 and after_id < $3 limit 1',
    values: [tenantId, afterId, untilId],
  });
  return rowCount === 1;
}

/** Until the end of the transaction nobody else indexes messages of the tenant, or adds any to what is indexed. */
export async function lockSegments(client: pg.ClientBase, tenantIds: string[]): Promise<void> {
  await client.query({
    name: 'segments-lock',
    text: `select pg_advisory_xact_lock(hashtext('postrider:segments'), hashtext(id::text))
           from (select distinct id from unnest($1::uuid[]) as t(id) order by id) t`,
    values: [tenantIds],
  });
}

/**
 * Removes the segments that these messages should be in: the loop makes them again. Their terms stay, for they are found
 * by term only; what names a segment that is gone is ignored.
 */
export async function forgetSegments(
  client: pg.ClientBase,
  messages: { tenantId: string; id: string }[],
): Promise<void> {
  await client.query({
    name: 'segments-forget',
    text: `delete from message_segments s using unnest($1::uuid[], $2::uuid[]) as m(tenant_id, id)
           where s.tenant_id = m.tenant_id and s.id >= m.id and s.after_id < m.id`,
    values: [messages.map((one) => one.tenantId), messages.map((one) => one.id)],
  });
}

/** The segments that have a part of the ids between two (both exclusive), in order. */
export async function selectSegments(
  db: Queryable,
  tenantId: string,
  between: { above: string; below: string },
): Promise<SegmentRange[]> {
  const { rows } = await db.query<SegmentRange>({
    name: 'segments-between',
    text: `select id, after_id as "afterId", octet_length(ids) / 16 as size from message_segments
           where tenant_id = $1 and id > $2 and after_id < $3 order by id`,
    values: [tenantId, between.above, between.below],
  });
  return rows;
}

/** Of the segments from one to another, those that have all terms somewhere: where each of the terms is. */
export async function selectHits(
  db: Queryable,
  tenantId: string,
  terms: string[],
  segments: { first: string; last: string },
): Promise<Hit[]> {
  const { rows } = await db.query<Hit>(
    `with hit as materialized (
       select segment_id from message_terms
       where tenant_id = $1 and term = any($2) and segment_id >= $3 and segment_id <= $4
       group by segment_id having count(*) = cardinality($2::text[]))
     select t.segment_id as "segmentId", t.term, t.positions
     from hit h join message_terms t on t.segment_id = h.segment_id
     where t.tenant_id = $1 and t.term = any($2) and t.segment_id >= $3 and t.segment_id <= $4`,
    [tenantId, terms, segments.first, segments.last],
  );
  return rows;
}

/** How many of a segment's messages have each of these terms, roughly: as octets of positions. Terms of none are missing. */
export async function selectWeights(
  db: Queryable,
  tenantId: string,
  terms: string[],
  segmentId: string,
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ term: string; octets: number }>(
    `select term, octet_length(positions) as octets from message_terms
     where tenant_id = $1 and term = any($2) and segment_id = $3`,
    [tenantId, terms, segmentId],
  );
  // No positions at all stand for every message.
  return new Map(rows.map(({ term, octets }) => [term, octets === 0 ? Infinity : octets]));
}

/** The ids at some positions, in the order asked for. */
export async function selectIdsAt(
  db: Queryable,
  tenantId: string,
  places: { segmentId: string; position: number }[],
): Promise<string[]> {
  const segments = places.map((one) => one.segmentId);
  const sorted = segments.toSorted(); // the planner opens only the partitions between the first and the last
  const { rows } = await db.query<{ id: string }>(
    `select encode(substring(s.ids from 16 * p.position + 1 for 16), 'hex')::uuid as id
     from unnest($2::uuid[], $3::int[]) with ordinality as p(segment_id, position, place)
     join message_segments s on s.tenant_id = $1 and s.id = p.segment_id and s.id >= $4 and s.id <= $5
     order by p.place`,
    [tenantId, segments, places.map((one) => one.position), sorted[0], sorted.at(-1)],
  );
  return rows.map((row) => row.id);
}

/** All ids of a segment, in order. */
export async function selectIdsOf(db: Queryable, tenantId: string, segmentId: string): Promise<string[]> {
  const { rows } = await db.query<{ ids: string }>({
    name: 'segments-ids',
    text: `select encode(ids, 'hex') as ids from message_segments where tenant_id = $1 and id = $2`,
    values: [tenantId, segmentId],
  });
  return rows[0]?.ids.match(/.{32}/g)?.map(toUuid) ?? [];
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
