// What is applied: drizzle's own table, so that its tools and older versions of ours agree, and the steps of a migration
// that is under way. SQL by hand: schema `drizzle` is no part of ours. A bucket has both among its own tables.

import pg from 'pg';

import { HOME } from '../service-tables.ts';
import type { Migration } from './migration-files.ts';

/** The tables of the migrator for a bucket. */
export interface Journal {
  schema: string;
  /** Of the migrations that are applied. */
  applied: string;
  /** Of the steps that are done of the one under way. */
  steps: string;
}

/** Where it is kept which migrations a bucket has. */
export function journalOf(bucket: string): Journal {
  const schema = bucket === HOME ? 'drizzle' : pg.escapeIdentifier(bucket);
  return { schema, applied: `${schema}.__drizzle_migrations`, steps: `${schema}.migration_steps` };
}

/** Makes the tables of the migrator where they are missing. */
export async function createJournal(client: pg.Client, { schema, applied, steps }: Journal): Promise<void> {
  await client.query(`create schema if not exists ${schema}`);
  await client.query(
    `create table if not exists ${applied} (id serial primary key, hash text not null, created_at bigint)`,
  );
  await client.query(
    `create table if not exists ${steps} (migration bigint, step int, primary key (migration, step))`,
  );
}

/** The time of the newest migration that is applied; 0 for none. It is how drizzle tells what is left. */
export async function readNewestApplied(
  client: Pick<pg.Client, 'query'>,
  { applied }: Journal,
): Promise<number> {
  const { rows } = await client.query<{ newest: string }>(
    `select coalesce(max(created_at), 0) as newest from ${applied}`,
  );
  return Number(rows[0]!.newest);
}

/** How many steps of a migration are done. */
export async function readDoneSteps(
  client: pg.Client,
  { steps }: Journal,
  { when }: Migration,
): Promise<number> {
  const { rows } = await client.query<{ done: number }>(
    `select count(*)::int as done from ${steps} where migration = $1`,
    [when],
  );
  return rows[0]!.done;
}

/** The statement that records a step; as text, so that it goes to the server with the step's own. */
export function stepDone({ steps }: Journal, { when }: Migration, step: number): string {
  return `insert into ${steps} values (${when}, ${step})`;
}

/** Records that all steps are done. */
export async function recordApplied(
  client: pg.Client,
  { applied, steps }: Journal,
  { when, hash }: Migration,
): Promise<void> {
  await client.query('begin');
  await client.query(`insert into ${applied} (hash, created_at) values ($1, $2)`, [hash, when]);
  await client.query(`delete from ${steps} where migration = $1`, [when]);
  await client.query('commit');
}

/** Whether this process may migrate now. It never waits in the server: who builds an index waits for every transaction. */
export async function tryLockMigrations(client: pg.Client, lockId: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    lockId,
  ]);
  return rows[0]!.locked;
}

/** Which migration another process is at, by its time, and how many of its steps are done; null between two. */
export async function readUnderWay(
  client: pg.Client,
  { steps }: Journal,
): Promise<{ when: number; done: number } | null> {
  const there = await client.query('select from pg_class where oid = to_regclass($1)', [steps]);
  if (there.rowCount === 0) return null;
  const { rows } = await client.query<{ when: string; done: number }>(
    `select migration as when, count(*)::int as done from ${steps} group by migration limit 1`,
  );
  return rows[0] ? { when: Number(rows[0].when), done: rows[0].done } : null;
}

/** Whether a table has a row, and whether it is partitioned. */
export async function readTable(
  client: pg.Client,
  table: string,
): Promise<{ partitioned: boolean; filled: boolean }> {
  const { rows } = await client.query<{ partitioned: boolean }>(
    `select relkind = 'p' as partitioned from pg_class where oid = $1::regclass`,
    [table],
  );
  const found = await client.query(`select 1 from ${client.escapeIdentifier(table)} limit 1`);
  return { partitioned: rows[0]!.partitioned, filled: found.rows.length > 0 };
}

/** Whether this bucket has an index, and it is usable: `invalid` is what a build leaves that was broken off, or has partitions to come. */
export async function readIndex(client: pg.Client, name: string): Promise<'none' | 'invalid' | 'valid'> {
  const { rows } = await client.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = current_schema()::regnamespace and c.relname = $1`,
    [name],
  );
  if (rows.length === 0) return 'none';
  return rows[0]!.valid ? 'valid' : 'invalid';
}

/** The partitions of a table that have no part of an index yet. */
export async function readUnindexed(client: pg.Client, table: string, index: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass and not exists (
       select from pg_inherits a join pg_index x on x.indexrelid = a.inhrelid
       where a.inhparent = to_regclass($2) and x.indrelid = c.oid)
     order by 1`,
    [table, client.escapeIdentifier(index)],
  );
  return rows.map(({ name }) => name);
}
