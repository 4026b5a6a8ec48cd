// Whether PostgreSQL can write now: for /readyz. A store that answers and refuses every write is worth no more to a
// client than one that is gone, and a standby that nobody promoted, or a full disk, is just that.

import { monotonicMs } from '../base/clock.ts';
import type { Database } from './pool.ts';
import { admitsNoMore } from './sql-state.ts';

const KEPT_MS = 1_000; // anybody may ask /readyz, as often as they like

// A standby, and a database or server that was set read-only, say so in `transaction_read_only`. A full disk is seen only by
// writing to it, and a row would be refused only when its table has to grow: so a sort is made to spill 40 KB into a
// temporary file, which a read-only transaction may do and which leaves nothing behind (2 ms). The setting is local to the
// implicit transaction of the two statements, which ends with them whatever happens.
const PROBE = `set local work_mem = '64kB';
  select current_setting('transaction_read_only') = 'off' as writable, count(*)
  from (select n from generate_series(1, 5000) n order by n desc) spilled`;

/** Makes the check; it asks at most once a second. Throws what PostgreSQL throws. */
export function createWritableCheck(db: Database): () => Promise<boolean> {
  let asked: { at: number; answer: Promise<boolean> } | null = null;
  return () => {
    if (asked === null || monotonicMs() - asked.at > KEPT_MS) asked = { at: monotonicMs(), answer: ask(db) };
    return asked.answer;
  };
}

async function ask({ asking, pool }: Database): Promise<boolean> {
  // One result for each statement, which the driver's types do not know.
  const results: unknown = await asking.query(PROBE).catch((error: unknown) => {
    if (admitsNoMore(error)) return pool.query(PROBE); // the service works with the connections that it has
    throw error;
  });
  const [, found] = results as { rows: { writable: boolean }[] }[];
  return found?.rows[0]?.writable === true;
}
