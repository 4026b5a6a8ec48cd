// Keeps what PostgreSQL knows of messages younger than autovacuum does, which looks once a minute. Before midnight, or a
// campaign, next to no message is due, and by statistics of then the planner takes any index for due mail, or sorts all of it: a
// look for the mail of one domain reads that of all. A million messages over midnight were slow for a minute because of it
// (bench/RESULTS.md, part midnight).

import type pg from 'pg';

import type { Logger } from '../base/log.ts';
import { startLoop, type Loop } from '../base/loop.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import { takeLook } from './shared-look.ts';

const LOOK_MS = 5_000;
const CHANGED = 5_000; // rows of a week's messages
const LEAST_AGE_MS = 20_000; // ANALYZE of a week of any size takes 0.3 to 0.5 s: 30,000 rows are read

/** Renews them until stopped; one process of all at a time does. */
export function startStatistics({ pool, log }: { pool: pg.Pool; log: Logger }): Loop {
  return startLoop({
    what: 'renewing statistics of messages',
    log,
    isExpected: isDatabaseAway,
    async step() {
      if (await takeLook(pool, 'statistics', LOOK_MS)) await renewStatistics(pool);
      return LOOK_MS;
    },
  });
}

/** Analyzes the weeks of messages of which many have changed since that was done. Returns their tables. */
export async function renewStatistics(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>({
    name: 'statistics-old',
    text: `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
           where schemaname = current_schema() and relname like 'messages\\_%' and n_mod_since_analyze >= $1
             and coalesce(greatest(last_analyze, last_autoanalyze), '-infinity') < now() - $2 * interval '1 millisecond'`,
    values: [CHANGED, LEAST_AGE_MS],
  });
  const names = rows.map(({ name }) => name);
  for (const name of names) await pool.query(`analyze (skip_locked) ${name}`);
  return names;
}
