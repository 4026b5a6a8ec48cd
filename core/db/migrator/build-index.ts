// Builds an index while others write: CREATE INDEX CONCURRENTLY, and for a partitioned table, which does not know that
// (PostgreSQL manual, "Building indexes on partitioned tables"), one partition after the other.
// Killed at any point: what is there and valid is kept, what is not valid is dropped and built anew.

import type pg from 'pg';

import { limitLocks, untilLocked } from '../brief-lock.ts';
import type { IndexParts } from './migration-files.ts';
import { readIndex, readTable, readUnindexed } from './migration-store.ts';
import { runTransaction } from './transaction-text.ts';

const LONGEST_NAME = 54; // with the migration's time in base 36 the 63 bytes of an identifier

/** Builds it, beside writers. `when` is the migration's time: parts of an index that was renamed keep their names. */
export async function buildIndex(client: pg.Client, index: IndexParts, when: number): Promise<void> {
  const { partitioned } = await readTable(client, index.table);
  if (!partitioned) return buildOn(client, index, index.table, index.name);
  const { name } = index;
  if ((await readIndex(client, name)) === 'none')
    await briefly(client, createText(index, 'ON ONLY', index.table, name));
  for (const partition of await readUnindexed(client, index.table, name)) {
    const part = `${`${partition}_${name}`.slice(0, LONGEST_NAME)}_${when.toString(36)}`;
    if ((await readTable(client, partition)).filled) await buildOn(client, index, partition, part);
    else if ((await readIndex(client, part)) === 'none')
      await briefly(client, createText(index, 'ON', partition, part));
    await briefly(client, `ALTER INDEX ${quote(name)} ATTACH PARTITION ${quote(part)}`);
  }
  if ((await readIndex(client, name)) !== 'valid')
    throw new Error(`the index ${name} has a partition without its part`);
}

async function buildOn(client: pg.Client, index: IndexParts, table: string, name: string): Promise<void> {
  // A build waits for every transaction that began before it, and nobody waits for the build: it has no limit.
  await client.query('set lock_timeout = 0; set statement_timeout = 0');
  await untilLocked(async () => {
    const found = await readIndex(client, name);
    if (found === 'valid') return;
    if (found === 'invalid') await client.query(`DROP INDEX CONCURRENTLY ${quote(name)}`);
    await client.query(createText(index, 'ON', table, name, 'CONCURRENTLY'));
  });
}

function createText(
  { unique, rest }: IndexParts,
  on: 'ON' | 'ON ONLY',
  table: string,
  name: string,
  how = '',
): string {
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${how} ${quote(name)} ${on} ${quote(table)} ${rest}`;
}

async function briefly(client: pg.Client, sql: string): Promise<void> {
  await untilLocked(() => runTransaction(client, [...limitLocks('brief'), sql]));
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
