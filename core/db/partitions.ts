// The weekly partitions of everything that grows with mail (core/db/migrations/0001_partitions.sql).

import pg from 'pg';

import { limitLocks, untilLocked } from './brief-lock.ts';
import { sqlState } from './sql-state.ts';

const WEEK_MS = 7 * 86_400_000;
// The default partition has rows of the week, or is too large to look through while everybody waits.
const IN_DEFAULT = new Set<string | null>(['23514', '57014']);
const GIVE_UP_MS = 60_000;

/** Every partitioned table. */
export const PARTITIONED_TABLES = [
  'messages',
  'message_contents',
  'message_attempts',
  'events',
  'message_segments',
  'message_terms',
  'event_log',
  'message_engagements',
] as const;

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
  signal?: AbortSignal,
): Promise<MadePartitions> {
  const result: MadePartitions = { made: 0, blockedWeeks: [] };
  for (let week = -1; week <= weeks; week++) {
    const since = new Date(now.getTime() + week * WEEK_MS);
    let blocked = false;
    for (const table of PARTITIONED_TABLES) {
      try {
        result.made += await untilLocked(() => makePartition(db, table, since), {
          giveUpMs: GIVE_UP_MS,
          signal,
        });
      } catch (error) {
        if (!IN_DEFAULT.has(sqlState(error))) throw error;
        blocked = true;
      }
    }
    if (blocked) result.blockedWeeks.push(since.toISOString().slice(0, 10));
  }
  return result;
}

// One message, and so one transaction, to which the limits are local.
async function makePartition(
  db: Pick<pg.Pool | pg.Client, 'query'>,
  table: string,
  since: Date,
): Promise<number> {
  const [name, at] = [table, since.toISOString()].map((text) => pg.escapeLiteral(text));
  const text = [...limitLocks('brief'), `select ensure_partition(${name}, ${at}) as made`].join('; ');
  const results = await db.query(text);
  return (results as unknown as pg.QueryResult<{ made: number }>[]).at(-1)!.rows[0]!.made;
}
