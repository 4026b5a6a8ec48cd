// The migrations as a bucket other than the first runs them. Those up to FIRST_WITH_BUCKETS know one schema only: they make all
// tables there, and then it leaves to the service those that there are once. Of later ones it runs what is about its own tables.

import type pg from 'pg';

import { searchPath } from '../bucket-client.ts';
import { HOME, SERVICE_TABLES } from '../service-tables.ts';
import type { Migration, Step } from './migration-files.ts';
import { runTransaction } from './transaction-text.ts';

/** The first migration that knows of buckets. */
export const FIRST_WITH_BUCKETS = '0050_buckets';

// What a step says itself, where its first table does not tell: a function that triggers of both kinds call, say.
const SAID = /^-- for (the service|buckets|both)\b/m;
const NAMED =
  /^(?:create (?:unlogged )?table|alter table|drop table|lock table|insert into|update|delete from|create (?:unique )?index [^\n]*? on|create trigger [^]*? on|drop trigger [^]*? on) (?:if (?:not )?exists )?(?:only )?"?(\w+)"?/i;

/** The migration for this bucket, with the search path that its steps need. */
export async function readyForBucket(
  client: pg.Client,
  bucket: string,
  migration: Migration,
): Promise<Migration> {
  if (migration.tag < FIRST_WITH_BUCKETS) {
    await client.query(`set search_path = ${client.escapeIdentifier(bucket)}`);
    return migration;
  }
  if (migration.tag === FIRST_WITH_BUCKETS) await leaveServiceTables(client, bucket);
  await client.query(`set search_path = ${searchPath(bucket)}`);
  return { ...migration, steps: migration.steps.filter((step) => placeOf(step) !== 'the service') };
}

/** Whose tables a step is about; null when nothing in it says so, which test/unit/db finds. */
export function placeOf({ sql }: Pick<Step, 'sql'>): 'the service' | 'buckets' | 'both' | null {
  const said = SAID.exec(sql)?.[1];
  if (said) return said as 'the service' | 'buckets' | 'both';
  const table = NAMED.exec(sql.replaceAll(/^[ \t]*--.*/gm, '').trim())?.[1];
  if (table === undefined) return null;
  return SERVICE_TABLES.has(table) ? 'the service' : 'buckets';
}

// They are empty: the bucket is not in use yet. What refers to them refers to the service's from then on.
async function leaveServiceTables(client: pg.Client, bucket: string): Promise<void> {
  await client.query(`set search_path = ${client.escapeIdentifier(bucket)}`);
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_class own on own.oid = c.conrelid join pg_class other on other.oid = c.confrelid
     where c.contype = 'f' and c.conparentid = 0 and own.relnamespace = $1::regnamespace
       and other.relnamespace = own.relnamespace and other.relname = any($2) and own.relname <> all($2)`,
    [client.escapeIdentifier(bucket), [...SERVICE_TABLES]],
  );
  const own = [...SERVICE_TABLES].map((table) => `drop table if exists ${bucket}.${table} cascade`);
  const foreign = rows.map(({ table, name, definition }) => {
    return `alter table ${table} add constraint ${client.escapeIdentifier(name)} ${definition}`;
  });
  await runTransaction(client, [...own, `set local search_path = ${bucket}, ${HOME}`, ...foreign]);
}
