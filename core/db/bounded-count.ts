// Counts that cost no more than a list may: up to a number of rows, and for a second.

import type pg from 'pg';

import { MAX_COUNTED, toListCount, type ListCount } from '../base/list-count.ts';
import type { Database } from './pool.ts';
import { sqlState } from './sql-state.ts';
import { inTransaction } from './transaction.ts';

const COUNT_MS = 1_000; // of one statement of a count: a list is there without it, and most counts take 20
const QUERY_CANCELED = '57014';

/** Counts by `find`, which looks for at most `limit` rows and says how many there are; null when that takes too long. */
export async function countUpTo(
  { pool }: Pick<Database, 'pool'>,
  find: (client: pg.PoolClient, limit: number) => Promise<number>,
): Promise<ListCount | null> {
  try {
    const found = await inTransaction(pool, async (client) => {
      await client.query(`set local statement_timeout = ${COUNT_MS}`);
      return find(client, MAX_COUNTED + 1);
    });
    return toListCount(found);
  } catch (error) {
    if (sqlState(error) === QUERY_CANCELED) return null;
    throw error;
  }
}
