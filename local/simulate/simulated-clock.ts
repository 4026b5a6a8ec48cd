// A calendar that can be moved: a database whose now() is ahead of the real one. The statements under test are the
// real ones; they say now(), and a schema that stands before pg_catalog on the search path answers.
// Redis keeps its own time: there it only ages ids that were admitted seconds ago.

import { openDatabase, type Database } from '../../core/db/pool.ts';
import type { Config } from '../../core/base/config.ts';
import type { Logger } from '../../core/base/log.ts';
import { installClock } from '../clock/store-clock.ts';

/** A database with a calendar of its own. */
export interface SimulatedDatabase {
  db: Database;
  /** What the database says now. */
  now(): Promise<Date>;
  /** Moves the calendar to a time. Returns by how many ms it is ahead of this machine's clock then. */
  setNow(time: Date): Promise<number>;
}

// pg_catalog is searched first unless it is named; `synchronous_commit` is off because nothing here is to be kept.
const OPTIONS = '-c search_path=sim,pg_catalog,public -c timezone=UTC -c synchronous_commit=off';

const MOVE = `update sim.clock set shift = $1::timestamptz - pg_catalog.clock_timestamp()
  returning extract(epoch from shift)::float8 * 1000 as ahead`;

/** Opens a migrated database and gives it a calendar, which begins at the real time. */
export async function openSimulated(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>,
  log: Logger,
): Promise<SimulatedDatabase> {
  const url = new URL(config.DATABASE_URL);
  url.searchParams.set('options', OPTIONS);
  const db = openDatabase({ ...config, DATABASE_URL: url.toString() }, log);
  await installClock(db.pool);
  return {
    db,
    now: async () => (await db.pool.query<{ now: Date }>('select now() as now')).rows[0]!.now,
    setNow: async (time) => {
      const { rows } = await db.pool.query<{ ahead: number }>(MOVE, [time]);
      return rows[0]!.ahead;
    },
  };
}
