// PostgreSQL that answers and cannot write, for the one database of a test file.

import pg from 'pg';
import { inject } from 'vitest';

import type { Context } from './context.ts';

/** Ends the refusal: new connections, and those that are open, can write again. */
export type AllowWrites = () => Promise<void>;

/** Read-only, as a standby is that the services were led to: connections break, and new ones refuse every write. */
export async function makeReadOnly({ config }: Context): Promise<AllowWrites> {
  const name = new URL(config.DATABASE_URL).pathname.slice(1);
  const change = (setting: string) =>
    asAdmin(async (client) => {
      await client.query(`alter database ${name} ${setting}`);
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    });
  await change('set default_transaction_read_only = on');
  return () => change('reset default_transaction_read_only');
}

async function asAdmin(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** A full disk, as far as messages go: each statement that writes one is refused; heartbeats of workers are not. */
export async function fillDisk({ db }: Context): Promise<AllowWrites> {
  await db.pool.query(`create function refuse_write() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  await db.pool.query(`create trigger disk_full before insert or update on messages
    for each statement execute function refuse_write()`);
  return async () => {
    await db.pool.query('drop function refuse_write cascade');
  };
}
