// The schema in core/db/schema/ says of every table what the migrations made of it. Two databases are compared by
// their catalogs: one migrated, one made from the schema alone.

import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { getTableName } from 'drizzle-orm';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { loadTables, SCHEMA_FOLDER } from '../../core/db/tables.ts';
import { createContext, type Context } from '../harness/context.ts';

let context: Context;

beforeAll(async () => {
  context = await createContext();
});

afterAll(() => context.close());

test('the schema and the migrations describe the same tables', async () => {
  const [said, made] = await Promise.all([describeSchema(), describeDatabase(context.db.pool)]);
  expect(said).toEqual(made);
});

test('every trigger is named in the schema file of its table', async () => {
  const { rows } = await context.db.pool.query<{ trigger: string; table: string }>(
    `select tgname as trigger, tgrelid::regclass::text as table from pg_trigger
     where not tgisinternal and tgparentid = 0`,
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
  await context.db.pool.query(`create database ${name}`);
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    return await describeDatabase(client);
  } finally {
    await client.end();
    await context.db.pool.query(`drop database ${name}`);
  }
}

interface Description {
  columns: string[];
  indexes: string[];
  constraints: string[];
}

// A line for everything that the schema can say. Partitioned tables are described as plain ones, without their
// partitions; drizzle has no words for storage parameters of tables.
async function describeDatabase(db: Pick<pg.Client, 'query'>): Promise<Description> {
  const lines = async (text: string) => (await db.query<{ line: string }>(text)).rows.map(({ line }) => line);
  const TABLE = `t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition`;
  return {
    columns: await lines(
      `select concat_ws(' ', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
         case when a.attnotnull then 'not null' end, 'default ' || pg_get_expr(d.adbin, d.adrelid)) as line
       from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
       where ${TABLE} order by 1`,
    ),
    indexes: await lines(
      `select replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as line
       from pg_class t join pg_index i on i.indrelid = t.oid where ${TABLE} order by 1`,
    ),
    constraints: await lines(
      `select concat_ws(' ', t.relname, c.conname, pg_get_constraintdef(c.oid)) as line
       from pg_class t join pg_constraint c on c.conrelid = t.oid and c.contype <> 'n' where ${TABLE} order by 1`,
    ),
  };
}
