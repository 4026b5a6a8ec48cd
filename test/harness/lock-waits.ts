// Who waits for a lock in the record.

import type pg from 'pg';

import { isOnCitus } from './test-database.ts';

const HERE = `select query from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
const ON_NODES = 'select blocked_statement as query from citus_lock_waits';

/** The statements that wait for a lock now, on any node. */
export async function statementsWaiting(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ query: string }>(isOnCitus() ? ON_NODES : HERE);
  return rows.map(({ query }) => query);
}
