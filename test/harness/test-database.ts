// The database of one test file, made from a migrated template: 50 ms instead of half a second of migrations. The template's
// name carries the migrations' hash, so a change of theirs makes a new one. With TEST_RECORD=schemas or citus it has two buckets
// beside the first, and new tenants come to BUCKET. On a Citus cluster every node has its part of the template, the metadata
// too, and a copy on each of them is a copy of the whole.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

import { addBucket, migrate } from '../../core/db/migrate.ts';
import { HOME } from '../../core/db/service-tables.ts';
import { makeCitusDatabase, urlOf, withClient } from '../../local/servers/citus.ts';

const MIGRATIONS = join(import.meta.dirname, '../../core/db/migrations');
const BUCKETS = ['b1', 'b2'];

/** Where a test's tenants are, unless it says more. */
export function testBucket(): string {
  return inject('record') === 'plain' ? HOME : BUCKETS[0]!;
}

/** Makes a migrated database and returns its URL. */
export async function createDatabase(name: string): Promise<string> {
  const template = `template_${inject('record')}_${migrationsHash()}`;
  await withClient(servers()[0]!, async (client) => {
    await client.query('select pg_advisory_lock(7201962)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await makeTemplate(template);
    await onNodes(`create database ${name} template ${template}`);
  });
  if (isOnCitus()) await allowTriggers(name);
  return urlOf(servers()[0]!, name);
}

/** Drops it, whoever is connected. */
export async function dropDatabase(name: string): Promise<void> {
  await onNodes(`drop database if exists ${name} with (force)`);
}

// The coordinator comes last: with its copy the template is there.
async function makeTemplate(template: string): Promise<void> {
  const fresh = `${template}_new`;
  const url = urlOf(servers()[0]!, fresh);
  await (isOnCitus() ? makeCitusDatabase(servers(), fresh) : onNodes(`create database ${fresh}`));
  await migrate(url);
  if (inject('record') !== 'plain') {
    for (const bucket of BUCKETS) await addBucket(url, bucket);
    await withClient(url, (client) =>
      client.query('update buckets set is_open = false where name <> $1', [testBucket()]),
    );
  }
  if (isOnCitus()) await closeTemplate(fresh);
  for (const server of servers().toReversed())
    await withClient(server, (client) => client.query(`alter database ${fresh} rename to ${template}`));
}

// Some stories make triggers of rows.
async function allowTriggers(name: string): Promise<void> {
  await withClient(servers()[0]!, (client) =>
    client.query(`alter database ${name} set citus.enable_unsafe_triggers = on`),
  );
}

// Nobody may be connected to what is copied, and on each node a process of Citus is.
async function closeTemplate(name: string): Promise<void> {
  await onNodes(`alter database ${name} allow_connections false`);
  await onNodes(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`);
}

function servers(): string[] {
  return isOnCitus() ? inject('citusUrls') : [inject('databaseUrl')];
}

/** Whether the record of this run is on Citus (TEST_RECORD). */
export function isOnCitus(): boolean {
  return inject('citusUrls').length > 0;
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS).filter((one) => one.endsWith('.sql'))) {
    hash.update(readFileSync(join(MIGRATIONS, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

async function onNodes(sql: string): Promise<void> {
  await Promise.all(servers().map((server) => withClient(server, (client) => client.query(sql))));
}
