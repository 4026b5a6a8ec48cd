// How much is due that no sender has claimed, for whoever decides how many senders there should be.
// SQL by hand: it stops counting, and reads the index that claims read.

import type pg from 'pg';

import type { Stream } from '../base/stream.ts';

// More are not counted: every sender counts with every scrape, and twenty times what one of them should have behind it is enough
// to scale by.
const MOST_COUNTED = 20_000;

/** Messages of these streams that are due now, admitted today and claimed by nobody; 20,000 at most. */
export async function countUnclaimed(pool: pg.Pool, streams: readonly Stream[]): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'message-count-unclaimed',
    text: `select count(*)::int as count from (
             select from messages where stream = any($1) and next_attempt_at <= now() and claimed_by is null
               and admitted_day >= (now() at time zone 'UTC')::date
             limit $2) due`,
    values: [streams, MOST_COUNTED],
  });
  return rows[0]!.count;
}
