// The index that messages are searched with, and the loop step that fills it.
//
// Messages are indexed in runs of 4,096 of a tenant, in the order of their ids, some seconds after they were accepted:
// accepting and delivering pay nothing for it. A segment has, for each term, the positions of the messages that have it:
// 4,096 bits say where one of half of them is, two bytes where the one of a million is. So a search looks at most at a
// small row per term and 4,096 messages, whatever is frequent; finds what is rare without looking at messages at all;
// and, newest segment first, stops when its page is full.
//
// What no segment covers is read from the messages themselves (list-messages.ts): the newest ones, fewer than a
// segment and those of the last half minute; all, while a database is indexed for the first time; what lost its segment
// because a message came late. The index may be behind, or dropped; what is found is the same.
//
// Dies here: the transaction is undone, the next step finds the same range again (docs/crashes-scheduler.md).

import { uuidTimeMs } from '../../base/ids.ts';
import type pg from 'pg';

import { inTransaction } from '../../db/transaction.ts';
import { MAX_SEGMENT_SIZE, packPositions } from './positions.ts';
import {
  closeGap,
  forgetSegments,
  insertSegment,
  isCovered,
  lockSegments,
  selectTexts,
  selectUncovered,
  type Uncovered,
} from './segment-store.ts';
import { termsOf } from './terms.ts';

// An id carries the time of its submission; its row is committed a little later. What is LATE_MS old when it is
// inserted may already belong to a segment; whoever inserts it says so, and has the rest of SETTLE_MS to commit.

/** Age in ms from which on a message's id says that it, and all with lower ids, are there or will say so as they come. */
export const SETTLE_MS = 30_000;
const LATE_MS = 20_000;

/** Indexes what waits to be, for each tenant at most one segment. Returns how many were made. */
export async function indexMessages(pool: pg.Pool, signal: AbortSignal): Promise<number> {
  let made = 0;
  for (const range of await selectUncovered(pool, SETTLE_MS)) {
    if (signal.aborted) break;
    if (await indexRange(pool, range)) made += 1;
  }
  return made;
}

/**
 * Keeps the index true for messages that are being inserted: one whose id is old may be missing in its segment. Returns those,
 * with the lock of their segments.
 */
export async function noteLateMessages<Row extends { tenantId: string; id: string }>(
  client: pg.ClientBase,
  rows: readonly Row[],
  now: Date,
): Promise<Row[]> {
  const late = rows.filter(({ id }) => uuidTimeMs(id) < now.getTime() - LATE_MS);
  if (late.length === 0) return [];
  await lockSegments(
    client,
    late.map((one) => one.tenantId),
  );
  await forgetSegments(client, late);
  return late;
}

async function indexRange(pool: pg.Pool, range: Uncovered): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await lockSegments(client, [range.tenantId]);
    if (await isCovered(client, range)) return false; // by another scheduler
    const messages = await selectTexts(client, range);
    if (messages.length === 0) await closeGap(client, range);
    else await storeSegment(client, range, messages);
    return true;
  });
}

async function storeSegment(
  client: pg.ClientBase,
  { tenantId, afterId, untilId }: Uncovered,
  messages: Awaited<ReturnType<typeof selectTexts>>,
): Promise<void> {
  const positions = new Map<string, number[]>();
  for (const [position, message] of messages.entries()) {
    for (const term of termsOf(message)) {
      const list = positions.get(term);
      if (list) list.push(position);
      else positions.set(term, [position]);
    }
  }
  await insertSegment(
    client,
    {
      tenantId,
      afterId,
      id: messages.length < MAX_SEGMENT_SIZE ? untilId : messages.at(-1)!.id,
      ids: messages.map(({ id }) => id),
    },
    [...positions].map(([term, list]) => ({ term, positions: packPositions(list, messages.length) })),
  );
}
