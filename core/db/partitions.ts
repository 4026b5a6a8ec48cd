// The weekly partitions of everything that grows with mail (core/db/migrations/0001_partitions.sql).

import type pg from 'pg';

import { TABLE_LOCK_MS } from '../base/time-limits.ts';
import { untilLocked } from './migrator/brief-lock.ts';
import { sqlState } from './sql-state.ts';

const WEEK_MS = 7 * 86_400_000;
const CHECK_VIOLATION = '23514';
const TABLES = [
  'messages',
  'message_contents',
  'message_attempts',
  'events',
  'message_segments',
  'message_terms',
  'event_log',
];

/** What making partitions came to: how many were made, and weeks whose rows are in the default partition already. */
export interface MadePartitions {
  made: number;
  blockedWeeks: string[];
}

/**
 * Makes the partitions from the week before `now` to `weeks` after it, one at a time: a week that was not made in
 * time has its rows in the default partition, where they stay, and must not keep the later ones from being made.
 */
export async function ensurePartitions(
  db: Pick<pg.Pool | pg.Client, 'query'>,
  now: Date,
  weeks: number,
): Promise<MadePartitions> {
  const result: MadePartitions = { made: 0, blockedWeeks: [] };
  for (let week = -1; week <= weeks; week++) {
    const since = new Date(now.getTime() + week * WEEK_MS);
    let blocked = false;
    for (const table of TABLES) {
      try {
        result.made += await untilLocked(() => makePartition(db, table, since));
      } catch (error) {
        if (sqlState(error) !== CHECK_VIOLATION) throw error;
        blocked = true;
      }
    }
    if (blocked) result.blockedWeeks.push(since.toISOString().slice(0, 10));
  }
  return result;
}

async function makePartition(
  db: Pick<pg.Pool | pg.Client, 'query'>,
  table: string,
  since: Date,
): Promise<number> {
  const { rows } = await db.query<{ made: number }>(
    `select set_config('lock_timeout', $3, true), ensure_partition($1, $2) as made`,
    [table, since, `${TABLE_LOCK_MS}ms`],
  );
  return rows[0]!.made;
}
