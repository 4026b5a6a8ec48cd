// Citus takes every statement that a store sends: planned and run on a bucket of a cluster with no row that it names. What it
// refuses, and what to write instead: docs/citus.md.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addBucket } from '../../core/db/migrate.ts';
import { isCitusMissing, startCitusRecord, type CitusRecord } from '../harness/citus-record.ts';
import { collectStatements, type Statement } from '../harness/every-statement.ts';

const isMissing = await isCitusMissing();

// Of a value that nobody has: what the statement does is refused by Citus before, or does nothing.
const SAMPLES: Record<string, string> = {
  uuid: '01a2096d-0d97-7026-adf1-262219dfef27',
  jsonb: '{}',
  bytea: '\\x01',
  date: '2026-11-23',
  boolean: 'true',
  interval: '1 hour',
  inet: '127.0.0.1',
  text: '01a2096d-0d97-7026-adf1-262219dfef27', // some are cast to an id
};

// The statement is not one, because of a stand-in in its text; or a row is missing that it refers to.
const NOT_MEANT = ['42601', '42703', '42P01', '42P02', '42804', '42883', '42725', '42P08', '23502', '23503'];
// Citus' own faults come as syntax errors of what it made of a statement.
const MADE_BY_CITUS = /at or near "NOT"|PGCOPY|data type of parameter|citus|shard|distributed/i;

describe.skipIf(isMissing)('on a bucket', () => {
  let record: CitusRecord;
  let client: pg.Client;
  let statements: Statement[];
  const asked = new Set<string>(); // nodes, by statements that run since it was cleared

  beforeAll(async () => {
    record = await startCitusRecord();
    const url = record.urls()[0]!;
    await addBucket(url, 'b1');
    client = new pg.Client({ connectionString: url, options: '-c search_path=b1,public' });
    await client.connect();
    client.on('notice', ({ detail }) => {
      const [, address] = /@(\S+)/.exec(detail ?? '') ?? [];
      if (address !== undefined) asked.add(address);
    });
    // Those about nodes are no store's: they would add some.
    statements = (await collectStatements()).filter(({ from }) => !from.startsWith('core/db/cluster/'));
  });

  afterAll(async () => {
    await client?.end();
    await record?.close();
  });

  test('the statements are found', () => {
    expect(statements.length).toBeGreaterThan(550);
  });

  test.each(['filled', 'empty'] as const)('each is taken, with %s lists', async (lists) => {
    const refused: string[] = [];
    let taken = 0;
    for (const { text, from } of statements) {
      const why = await refusal(text, lists);
      if (why === null) taken += 1;
      else if (why !== '') refused.push(`${from}: ${why}\n${text}`);
    }
    expect(refused).toEqual([]);
    expect(taken).toBeGreaterThan(550);
  });

  test('each of a bucket asks no node but that of the bucket', async () => {
    const tables = await client.query<{ name: string; type: string }>(
      'select table_name::text as name, citus_table_type as type from citus_tables',
    );
    const thereIsOne = tables.rows.flatMap(({ name, type }) => (type === 'reference' ? name : []));
    const writesThose = new RegExp(`\\b(insert into|update|delete from) "?(${thereIsOne.join('|')})\\b`, 'i');
    const nodes = await client.query<{ address: string }>(
      `select distinct nodename || ':' || nodeport as address from citus_shards where citus_table_type = 'schema'`,
    );
    const [own] = nodes.rows.map(({ address }) => address);
    await client.query('set citus.log_remote_commands = on');
    const ofOthers: string[] = [];
    let ofOwn = 0;
    for (const { text, from } of statements) {
      if (writesThose.test(text)) continue;
      asked.clear();
      for (const lists of ['filled', 'empty'] as const) await refusal(text, lists);
      if (asked.has(own!)) ofOwn += 1;
      if ([...asked].some((address) => address !== own)) ofOthers.push(`${from}\n${text}`);
    }
    expect(ofOthers).toEqual([]);
    expect(ofOwn).toBeGreaterThan(400);
  });

  // Null when it ran; a text when Citus refused it; '' when it is no statement.
  async function refusal(text: string, lists: 'filled' | 'empty'): Promise<string | null> {
    if (!/^[\s(]*(with|select|insert|update|delete)\b/i.test(text)) return '';
    await client.query('begin');
    try {
      await client.query(`prepare tried as ${text}`);
      const { rows } = await client.query<{ types: string[] }>(
        `select parameter_types::text[] as types from pg_prepared_statements where name = 'tried'`,
      );
      const values = rows[0]!.types.map((type) => sample(type, lists));
      await client.query(`execute tried${values.length > 0 ? `(${values.join(', ')})` : ''}`);
      return null;
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      const isForeignKey = message.includes('violates foreign key constraint');
      return isForeignKey || (NOT_MEANT.includes(code) && !MADE_BY_CITUS.test(message))
        ? ''
        : `${code} ${message}`;
    } finally {
      await client.query('rollback');
      await client.query('deallocate all');
    }
  }
});

function sample(type: string, lists: 'filled' | 'empty'): string {
  const one = type.replace('[]', '');
  const value = SAMPLES[one] ?? (one.startsWith('timestamp') ? '2026-11-23T00:00:00Z' : '1');
  if (!type.endsWith('[]')) return `'${value}'::${type}`;
  return lists === 'empty' ? `'{}'::${type}` : `array['${value}']::${type}`;
}
