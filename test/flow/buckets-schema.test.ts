// The schema of a bucket: that of the first, apart from the tables that there are once, however its making was interrupted; and
// later migrations come to every bucket.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { searchPath } from '../../core/db/bucket-client.ts';
import { createBuckets } from '../../core/db/buckets.ts';
import { addBucket, migrate } from '../../core/db/migrate.ts';
import { buildIndex } from '../../core/db/migrator/build-index.ts';
import { openDatabase } from '../../core/db/pool.ts';
import { schemaProblem } from '../../core/db/require-schema.ts';
import { HOME, SERVICE_TABLES } from '../../core/db/service-tables.ts';
import { createContext, type Context } from '../harness/context.ts';
import { describeDatabase, describeRest } from '../harness/describe-database.ts';
import { makeAccount } from '../harness/factories.ts';

let context: Context;
let url: string;
let admin: pg.Client;

// A database of its own, with one bucket: what is made here is broken on the way.
beforeAll(async () => {
  context = await createContext();
  const own = new URL(context.env['DATABASE_URL']!);
  own.pathname = `/t_${randomBytes(6).toString('hex')}`;
  url = own.href;
  await context.db.pool.query(`create database ${own.pathname.slice(1)}`);
  await migrate(url);
  admin = new pg.Client({ connectionString: url });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await context.db.pool.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
  await context.close();
});

/** Everything about the tables that each bucket has; what a line is about comes first in it. */
async function described(bucket: string): Promise<Record<string, string[]>> {
  await admin.query(`set search_path = ${searchPath(bucket)}`);
  const all = { ...(await describeDatabase(admin)), ...(await describeRest(admin)) };
  const isOwn = (line: string) => {
    const [about] = line.split(' ', 1);
    return !SERVICE_TABLES.has(about!) && about !== '__drizzle_migrations' && about !== 'migration_steps';
  };
  return Object.fromEntries(Object.entries(all).map(([what, lines]) => [what, lines.filter(isOwn)]));
}

async function tablesOf(bucket: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p')
     and not relispartition`,
    [bucket],
  );
  return rows.map(({ name }) => name);
}

/** The next change of this kind to an object of this name fails, as a full disk or a lost connection would make it. */
async function failAt(event: 'ddl_command_end' | 'sql_drop', object: string): Promise<() => Promise<void>> {
  const changes = event === 'sql_drop' ? 'pg_event_trigger_dropped_objects' : 'pg_event_trigger_ddl_commands';
  await admin.query(`set search_path = ${HOME}`);
  await admin.query(`create function break_off() returns event_trigger language plpgsql as $$
    begin
      if exists (select from ${changes}() where object_identity = '${object}') then
        raise exception 'broken off at ${object}';
      end if;
    end $$`);
  await admin.query(`create event trigger break_off on ${event} execute function break_off()`);
  return async () => {
    await admin.query('drop event trigger break_off');
    await admin.query('drop function break_off');
  };
}

test('a bucket has what the first has, apart from the tables that there are once', async () => {
  await addBucket(url, 'one');
  const [first, other] = [await described(HOME), await described('one')];
  expect(Object.entries(first).filter(([what, lines]) => what !== 'types' && lines.length < 5)).toEqual([]);
  expect(other).toEqual(first);
  const [all, own] = [await tablesOf(HOME), await tablesOf('one')];
  expect(own.filter((table) => SERVICE_TABLES.has(table))).toEqual([]);
  expect([...SERVICE_TABLES].filter((table) => !all.includes(table))).toEqual([]);

  // What a row refers to is checked where it is: the tenant in public, the domain in the bucket.
  await admin.query(`set search_path = ${searchPath('one')}`);
  const orphan = `insert into domains (id, tenant_id, name, status) values (gen_random_uuid(), gen_random_uuid(), 'a.test', 'pending')`;
  await expect(admin.query(orphan)).rejects.toMatchObject({ code: '23503' });
});

test('one whose making was broken off, time and again, ends the same', async () => {
  const places = [
    ['ddl_command_end', 'two.messages'],
    ['ddl_command_end', 'two.attempt_days'],
    ['sql_drop', 'two.sessions'],
  ] as const;
  for (const [event, object] of places) {
    const repair = await failAt(event, object);
    await expect(addBucket(url, 'two'), object).rejects.toThrow(`broken off at ${object}`);
    await repair();
    const { rows } = await admin.query(`select from buckets where name = 'two'`);
    expect(rows, 'no tenant comes to half a bucket').toEqual([]);
  }
  for (let times = 0; times < 2; times++) await addBucket(url, 'two');
  expect(await described('two')).toEqual(await described(HOME));
  const { rows } = await admin.query(`select name from buckets where name = 'two' and is_open`);
  expect(rows).toHaveLength(1);
});

test('migrate brings buckets of an older version along', async () => {
  const repair = await failAt('ddl_command_end', 'three.attempt_days');
  await expect(addBucket(url, 'three')).rejects.toThrow('broken off');
  await repair();
  await admin.query(`insert into buckets (name) values ('three'), ('four')`); // at migration 48, and at none
  const db = openDatabase({ DATABASE_URL: url, DATABASE_POOL_SIZE: 2 }, context.log);
  try {
    const problem = (bucket: string) => schemaProblem(createBuckets(db).database(bucket), bucket);
    expect(await problem('three')).toContain('is at 0047_shared_looks, this version needs');
    expect(await problem('four')).toContain('is empty, this version needs');
    await migrate(url);
    for (const bucket of ['three', 'four']) {
      expect(await problem(bucket)).toBeNull();
      expect(await described(bucket)).toEqual(await described(HOME));
    }
  } finally {
    await db.close();
  }
});

test('an index is built in each bucket, also where another one has it already', async () => {
  const index = { unique: false, name: 'domains_probe', table: 'domains', rest: '(name, tier)' };
  const db = openDatabase({ DATABASE_URL: url, DATABASE_POOL_SIZE: 2 }, context.log);
  await makeAccount(db.inBucket('one')); // an empty table has its index made by the step itself
  await db.close();
  for (const bucket of [HOME, 'one']) {
    await admin.query(`set search_path = ${searchPath(bucket)}`);
    await buildIndex(admin, index, 1);
  }
  const { rows } = await admin.query<{ schema: string }>(
    `select relnamespace::regnamespace::text as schema from pg_class where relname = 'domains_probe' order by 1`,
  );
  expect(rows.map(({ schema }) => schema)).toEqual(['one', HOME]);
});

test.each([
  'Up',
  'with-dash',
  '1st',
  'pg_own',
  'drizzle',
  'a2345678901234567',
  '',
  'a;b',
  'information_schema',
])('no bucket is named "%s"', async (name) => {
  await expect(addBucket(url, name)).rejects.toThrow(/cannot name a bucket: a letter, then up to 15/);
});
