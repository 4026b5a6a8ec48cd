// Renews PostgreSQL's statistics of messages within seconds of a large change; autovacuum looks once a minute. Before midnight or a
// campaign next to no message is due, and by statistics from then the planner takes any index for due mail: a look for the mail
// of one domain reads that of all. It made the first minute after midnight slow (bench/RESULTS.md, part midnight).

import type pg from 'pg';

import type { Logger } from '../base/log.ts';
import { startLoop, type Loop } from '../base/loop.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import { takeLook } from './shared-look.ts';

const LOOK_MS = 5_000; // for so long a plan may be one of before: some 10,000 released messages
const CHANGED = 5_000; // rows of a week's messages: fewer are read soon enough by any plan
const LEAST_AGE_MS = 20_000; // ANALYZE reads 30,000 rows of a week, however many it has: 0.3 s

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
