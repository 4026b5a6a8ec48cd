// Lists of messages, newest first, by any mixture of filters; the same for every API surface.
//
// What a page costs depends neither on how deep it is nor on how many messages there are or match (bench/search-load.ts
// has the numbers):
//   without texts to look for    a walk along messages in the order of ids, or along those in a state
//   with them                    the segments of the index that have all of them, newest first; what no segment
//                                covers is walked (search/segments.ts)
//   with a state besides         first the newest 3,000 in that state: whatever is rare in its state ends there
// Every message is checked as it is now. An id never changes, so pages neither skip nor repeat while states do.

import type { ListCount } from '../base/list-count.ts';
import { countUpTo } from '../db/bounded-count.ts';
import type { Database, Queryable } from '../db/pool.ts';
import {
  selectAmong,
  selectInRange,
  selectStateBoundary,
  type IdRange,
  type ListQuery,
  type MessageFilter,
} from './message-list-store.ts';
import type { MessageSummary } from './message-store.ts';
import { intersectPositions } from './search/positions.ts';
import {
  selectHits,
  selectIdsAt,
  selectIdsOf,
  selectSegments,
  selectWeights,
  type SegmentRange,
} from './search/segment-store.ts';
import { isOfAddress, termsToFind } from './search/terms.ts';

/** Which part of a list. */
export interface ListPage {
  /** Only those older (with `oldestFirst`: still older than) this id. */
  before?: string | undefined;
  /** Only those newer than this id. */
  after?: string | undefined;
  oldestFirst?: boolean | undefined;
  limit: number;
}

const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
// An id carries the clock of the process that made it, created_at that of PostgreSQL: what the id says of the time is
// only believed to within ten minutes.
const CLOCKS_APART_MS = 600_000;
const STATE_WALK = 3_000; // messages in a state, checked in about 4 ms
const DENSE = 256; // candidates of a segment from which on a walk along the state is shorter than a look at each
const MAX_TERMS = 6; // of the address, and of all else: looked up in every segment
const RARE_OCTETS = 9; // of positions in a segment: four messages of 4,096
const WHOLE_SEGMENT = 64; // ids of one segment from which on all are read at once

/** A page of a tenant's messages. */
export async function listMessages(
  db: Queryable,
  tenantId: string,
  filter: MessageFilter,
  page: ListPage,
): Promise<MessageSummary[]> {
  const query = { tenantId, filter, oldestFirst: page.oldestFirst === true };
  return findMessages(db, query, page);
}

/** How many of a tenant's messages match; null when counting them takes too long. */
export async function countMessages(
  db: Pick<Database, 'pool'>,
  tenantId: string,
  filter: MessageFilter,
): Promise<ListCount | null> {
  const query = { tenantId, filter, oldestFirst: false, columns: 'id' as const };
  return countUpTo(db, async (client, limit) => (await findMessages(client, query, { limit })).length);
}

async function findMessages(db: Queryable, query: ListQuery, page: ListPage): Promise<MessageSummary[]> {
  const search = createSearch(db, query, page.limit);
  const range = rangeOf(query.filter, page);
  if (range.above >= range.below) return [];
  if (search.terms.length === 0) await search.walk(range);
  else await searchRange(search, range);
  return search.found;
}

type Search = ReturnType<typeof createSearch>;

function createSearch(db: Queryable, query: ListQuery, limit: number) {
  const found: MessageSummary[] = [];
  const missing = () => limit - found.length;
  return {
    db,
    query,
    terms: [...termsToFind(query.filter)],
    found,
    missing,
    async walk(range: IdRange): Promise<void> {
      if (missing() > 0) found.push(...(await selectInRange(db, query, range, missing())));
    },
    async look(ids: string[]): Promise<void> {
      if (ids.length > 0) found.push(...(await selectAmong(db, query, ids, missing())));
    },
  };
}

function rangeOf({ since, until }: MessageFilter, { before, after }: ListPage): IdRange {
  const low = since === undefined ? LOWEST : idAt(since.getTime() - CLOCKS_APART_MS);
  const high = until === undefined ? HIGHEST : idAt(until.getTime() + CLOCKS_APART_MS);
  return {
    above: after !== undefined && after > low ? after : low,
    below: before !== undefined && before < high ? before : high,
  };
}

// The lowest id of a moment, as uuid_floor in SQL.
function idAt(ms: number): string {
  const hex = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

async function searchRange(search: Search, whole: IdRange): Promise<void> {
  const { db, query } = search;
  let range: IdRange | null = whole;
  if (query.filter.status !== undefined) range = await walkState(search, whole);
  if (range === null || search.missing() <= 0) return;
  const segments = await selectSegments(db, query.tenantId, range);
  for (const piece of cover(range, segments, query.oldestFirst)) {
    if (search.missing() <= 0) return;
    if ('segments' in piece) await searchSegments(search, piece.segments, range);
    else await search.walk(piece);
  }
}

// Returns what is left to search, null when that is nothing.
async function walkState(search: Search, range: IdRange): Promise<IdRange | null> {
  const { db, query } = search;
  const boundary = await selectStateBoundary(db, query, range, STATE_WALK);
  if (boundary === null) {
    await search.walk(range);
    return null;
  }
  // The boundary itself is left to the search: ranges have neither of their ends.
  await search.walk(query.oldestFirst ? { ...range, below: boundary } : { ...range, above: boundary });
  return query.oldestFirst
    ? { above: previousId(boundary), below: range.below }
    : { above: range.above, below: nextId(boundary) };
}

type Piece = IdRange | { segments: SegmentRange[] };

// A range as runs of segments without a gap, and what is between them, in the order of the page.
function cover(range: IdRange, segments: SegmentRange[], oldestFirst: boolean): Piece[] {
  const pieces: Piece[] = [];
  let run: SegmentRange[] = [];
  let covered = range.above;
  for (const segment of segments) {
    if (segment.afterId > covered) {
      if (run.length > 0) pieces.push({ segments: run });
      run = [];
      pieces.push({ above: covered, below: nextId(segment.afterId) });
    }
    run.push(segment);
    covered = segment.id;
  }
  if (run.length > 0) pieces.push({ segments: run });
  if (covered < range.below) pieces.push({ above: covered, below: range.below });
  if (oldestFirst) return pieces;
  for (const piece of pieces) if ('segments' in piece) piece.segments.reverse();
  return pieces.reverse();
}

// Few segments first, for what is frequent; then ever more at a time, for what is rare.
async function searchSegments(search: Search, segments: SegmentRange[], range: IdRange): Promise<void> {
  const terms = await rarestTerms(search, segments[0]!);
  for (let at = 0, size = 1; at < segments.length && search.missing() > 0; at += size, size *= 16) {
    await searchWindow(search, terms, segments.slice(at, at + size), range);
  }
}

// A whole address has twenty terms, most of which half of all addresses have: a few of the rarest say as much, and where
// some are hardly ever there, those alone. One segment is enough to see which those are.
async function rarestTerms({ db, query, terms }: Search, { id }: SegmentRange): Promise<string[]> {
  if (terms.length === 1) return terms;
  const weights = await selectWeights(db, query.tenantId, terms, id);
  const weight = (term: string) => weights.get(term) ?? 0;
  const rarest = (some: string[]) =>
    some.toSorted((one, other) => weight(one) - weight(other)).slice(0, MAX_TERMS);
  const ofAddress = rarest(terms.filter(isOfAddress));
  const rare = ofAddress.filter((term) => weight(term) <= RARE_OCTETS);
  return [...rarest(terms.filter((term) => !isOfAddress(term))), ...(rare.length > 0 ? rare : ofAddress)];
}

async function searchWindow(
  search: Search,
  terms: string[],
  window: SegmentRange[],
  range: IdRange,
): Promise<void> {
  const { db, query } = search;
  const ids = window.map((segment) => segment.id).toSorted();
  const hits = await selectHits(db, query.tenantId, terms, { first: ids[0]!, last: ids.at(-1)! });
  const packed = new Map<string, Buffer[]>(hits.map((hit) => [hit.segmentId, []]));
  for (const hit of hits) packed.get(hit.segmentId)!.push(hit.positions);
  const candidates: Candidates[] = [];
  for (const segment of window) {
    const lists = packed.get(segment.id);
    const positions = lists ? intersectPositions(lists, segment.size) : [];
    if (positions.length > 0) candidates.push({ segment, positions });
  }
  const total = candidates.reduce((sum, one) => sum + one.positions.length, 0);
  if (query.filter.status !== undefined && total > DENSE * window.length)
    return search.walk(rangeOfWindow(window, range));
  await lookAtCandidates(search, candidates, range);
}

interface Candidates {
  segment: SegmentRange;
  positions: number[];
}

function rangeOfWindow(window: SegmentRange[], range: IdRange): IdRange {
  const above = window.map((one) => one.afterId).reduce((low, id) => (id < low ? id : low));
  const below = nextId(window.map((one) => one.id).reduce((high, id) => (id > high ? id : high)));
  return {
    above: above > range.above ? above : range.above,
    below: below < range.below ? below : range.below,
  };
}

// A message by its id, or by its position in a segment.
type Place = string | { segmentId: string; position: number };

async function lookAtCandidates(search: Search, candidates: Candidates[], range: IdRange): Promise<void> {
  let wanted = search.missing() * 2; // most candidates match: a page of them is mostly enough
  let waiting: Place[] = [];
  for (const one of candidates) {
    waiting = waiting.concat(await placesOf(search, one, range));
    for (; waiting.length >= wanted; wanted *= 4) {
      await search.look(await idsAt(search, waiting.slice(0, wanted)));
      if (search.missing() <= 0) return;
      waiting = waiting.slice(wanted);
    }
  }
  await search.look(await idsAt(search, waiting));
}

// In the order of the page. A segment that the page begins or ends in is read, to see what is outside.
async function placesOf(
  { db, query }: Search,
  { segment, positions }: Candidates,
  { above, below }: IdRange,
): Promise<Place[]> {
  const ordered = query.oldestFirst ? positions : positions.toReversed();
  if (segment.afterId >= above && segment.id < below)
    return ordered.map((position) => ({ segmentId: segment.id, position }));
  const ids = await selectIdsOf(db, query.tenantId, segment.id);
  return ordered.map((position) => ids[position] ?? LOWEST).filter((id) => id > above && id < below);
}

async function idsAt({ db, query }: Search, places: Place[]): Promise<string[]> {
  const ids: string[] = [];
  const bySegment = new Map<string, number[]>();
  for (const place of places) {
    if (typeof place === 'string') ids.push(place);
    else {
      const positions = bySegment.get(place.segmentId);
      if (positions) positions.push(place.position);
      else bySegment.set(place.segmentId, [place.position]);
    }
  }
  const few: Exclude<Place, string>[] = [];
  for (const [segmentId, positions] of bySegment) {
    if (positions.length < WHOLE_SEGMENT) few.push(...positions.map((position) => ({ segmentId, position })));
    else {
      const all = await selectIdsOf(db, query.tenantId, segmentId);
      ids.push(...positions.flatMap((position) => all[position] ?? []));
    }
  }
  return few.length === 0 ? ids : ids.concat(await selectIdsAt(db, query.tenantId, few));
}

function nextId(id: string): string {
  return shiftId(id, 1n);
}

function previousId(id: string): string {
  return shiftId(id, -1n);
}

function shiftId(id: string, by: bigint): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + by).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
