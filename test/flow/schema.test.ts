// The schema in core/db/schema/ says of every table what the migrations made of it. Two databases are compared by
// their catalogs: one migrated, one made from the schema alone.

import { getTableName } from 'drizzle-orm';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { loadTables, SCHEMA_FOLDER } from '../../core/db/tables.ts';
import { importTool } from '../../local/tools/tools.ts';
import { createContext, type Context } from '../harness/context.ts';
import { describeDatabase, type Description } from '../harness/describe-database.ts';

/** The part of drizzle-kit/api that is used here. */
interface DrizzleKit {
  generateDrizzleJson(tables: Record<string, unknown>): object;
  generateMigration(before: object, after: object): Promise<string[]>;
}

// Before anything connects: to load it holds up the event loop for seconds on a busy machine.
const { generateDrizzleJson, generateMigration } = await importTool<DrizzleKit>('drizzle-kit/api');

let context: Context;

beforeAll(async () => {
  context = await createContext();
});

afterAll(() => context.close());

test('the schema and the migrations describe the same tables', async () => {
  const [said, made] = await Promise.all([describeSchema(), describeDatabase(context.buckets.home.pool)]);
  expect(said).toEqual(made);
});

test('every trigger is named in the schema file of its table', async () => {
  const { rows } = await context.buckets.home.pool.query<{ trigger: string; table: string }>(
    `select tgname as trigger, c.relname as table from pg_trigger join pg_class c on c.oid = tgrelid
     where not tgisinternal and tgparentid = 0 and c.relnamespace = current_schema()::regnamespace`,
  );
  expect(rows).not.toHaveLength(0);
  const files = await loadTables();
  for (const { trigger, table } of rows) {
    const file = [...files].find(([, tables]) =>
      Object.values(tables).some((one) => getTableName(one) === table),
    );
    expect(readFileSync(join(SCHEMA_FOLDER, file![0]), 'utf8')).toContain(`\`${trigger}\``);
  }
});

// What a database is that was made from nothing but the schema.
async function describeSchema(): Promise<Description> {
  const tables = Object.assign({}, ...(await loadTables()).values()) as Record<string, unknown>;
  const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(tables));
  const name = `${new URL(context.config.DATABASE_URL).pathname.slice(1)}_schema`;
  const url = new URL(context.config.DATABASE_URL);
  url.pathname = `/${name}`;
  await context.buckets.home.pool.query(`create database ${name}`);
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    return await describeDatabase(client);
  } finally {
    await client.end();
    await context.buckets.home.pool.query(`drop database ${name}`);
  }
}
