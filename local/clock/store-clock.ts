// The clock of a database that can be moved: a schema that stands before pg_catalog on the search path answers now().

import pg from 'pg';

import type { Queryable } from '../../core/db/pool.ts';

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

/**
 * Gives a database its clock, for all sessions from now on. It must be there before the tables, whose defaults say now() too. A new
 * clock is ahead of this machine's by so many seconds; one that is there already stays as it is.
 */
export async function useClock(databaseUrl: string, aheadSeconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("select to_regclass('sim.clock') is not null as is_there");
    await installClock(client);
    if (!rows[0].is_there)
      await client.query('update sim.clock set shift = make_interval(secs => $1)', [aheadSeconds]);
    const name = new URL(databaseUrl).pathname.slice(1);
    await client.query(`alter database ${name} set search_path = public, sim, pg_catalog`);
  } finally {
    await client.end();
  }
}
