// A calendar that can be moved: a database whose now() is ahead of the real one. The statements under test are the
// real ones; they say now(), and a schema that stands before pg_catalog on the search path answers.
// Redis keeps its own time: there it only ages ids that were admitted seconds ago.

import { openDatabase, type Database, type Queryable } from '../../core/db/pool.ts';
import type { Config } from '../../core/base/config.ts';
import type { Logger } from '../../core/base/log.ts';

/** A database with a calendar of its own. */
export interface SimulatedDatabase {
  db: Database;
  /** What the database says now. */
  now(): Promise<Date>;
  /** Moves the calendar to a time. */
  setNow(time: Date): Promise<void>;
}

// pg_catalog is searched first unless it is named; `synchronous_commit` is off because nothing here is to be kept.
const OPTIONS = '-c search_path=sim,pg_catalog,public -c timezone=UTC -c synchronous_commit=off';

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
      await db.pool.query('update sim.clock set shift = $1::timestamptz - pg_catalog.clock_timestamp()', [
        time,
      ]);
    },
  };
}

/** Makes the schema `sim`, whose clock is right until `sim.clock` is changed. Whoever has it on the search path sees it. */
export async function installClock(db: Queryable): Promise<void> {
  await db.query(CLOCK);
}

const CLOCK = `
  create schema if not exists sim;
  create table if not exists sim.clock (shift interval not null);
  insert into sim.clock select interval '0' where not exists (select from sim.clock);
  create or replace function sim.now() returns timestamptz language sql stable as
    $$ select pg_catalog.now() + (select shift from sim.clock) $$;
  create or replace function sim.clock_timestamp() returns timestamptz language sql volatile as
    $$ select pg_catalog.clock_timestamp() + (select shift from sim.clock) $$;`;
