// deploy/backup.sh as its container runs it: a database with data is dumped, and the dump restored into an empty one.

import { execFileSync } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { nowMs } from '../../core/base/clock.ts';
import { migrate } from '../../core/db/migrate.ts';
import { searchPath } from '../../core/db/bucket-client.ts';
import { findBinary } from '../../local/servers/find-binary.ts';
import { POSTGRES_BINARY } from '../../local/servers/postgres.ts';
import { createContext, type Context } from '../harness/context.ts';
import { describeDatabase } from '../harness/describe-database.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { tempFolder } from '../harness/temp-folder.ts';
import { testBucket } from '../harness/test-database.ts';

const SCRIPT = join(import.meta.dirname, '../../deploy/backup.sh');
const DAY_S = 86_400;
let context: Context;
let account: Account;
let programs: string;

beforeAll(async () => {
  context = await createContext();
  account = await makeAccount(context.db);
  programs = (await findBinary(POSTGRES_BINARY))!.folder; // pg_dump of the server's own version
});

afterAll(() => context.close());

function backup(folder: string, command: string, more: Record<string, string> = {}): string {
  const { hostname, port, username, password, pathname } = new URL(context.env['DATABASE_URL']!);
  const env = {
    PATH: `${programs}:/usr/bin:/bin`,
    ...{ PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password },
    ...{ PGDATABASE: pathname.slice(1), BACKUP_FOLDER: folder, BACKUP_KEEP_DAYS: '14', ...more },
  };
  return execFileSync('sh', [SCRIPT, command], { env, encoding: 'utf8', stdio: 'pipe' });
}

test('a dump restores everything, and the new database is one that can be migrated', async () => {
  const folder = await tempFolder();
  expect(() => backup(folder, 'check')).toThrow();
  expect(backup(folder, 'once')).toMatch(/^backed up to .*\/postrider-\d{8}T\d{6}Z\.dump\n$/);
  backup(folder, 'check');

  const name = `${context.config.KEY_PREFIX}_restored`;
  await context.db.pool.query(`create database ${name}`);
  const url = new URL(context.env['DATABASE_URL']!);
  url.pathname = `/${name}`;
  const file = join(folder, readdirSync(folder)[0]!);
  execFileSync(join(programs, 'pg_restore'), ['--exit-on-error', '--dbname', url.href, file]);
  const restored = new pg.Client({ connectionString: url.href });
  await restored.connect();
  await restored.query(`set search_path = ${searchPath(testBucket())}`);
  try {
    await migrate(url.href); // finds nothing to do
    const { rows } = await restored.query('select id, name from domains');
    expect(rows).toEqual([{ id: account.domainId, name: account.domain }]);
    expect(await describeDatabase(restored)).toEqual(await describeDatabase(context.db.pool));
  } finally {
    await restored.end();
    await context.db.pool.query(`drop database ${name}`);
  }
});

test('what is older than its days goes once there is a new one, and not when the dump fails', async () => {
  const folder = await tempFolder();
  const old = join(folder, 'postrider-20200101T000000Z.dump');
  writeFileSync(old, '');
  const then = nowMs() / 1000 - 16 * DAY_S;
  utimesSync(old, then, then);
  writeFileSync(join(folder, 'of-somebody-else'), '');
  expect(() => backup(folder, 'check')).toThrow();
  expect(() => backup(folder, 'once', { PGPASSWORD: 'wrong', PGDATABASE: 'gone' })).toThrow();
  expect(readdirSync(folder).toSorted()).toEqual(['of-somebody-else', 'postrider-20200101T000000Z.dump']);
  backup(folder, 'once');
  const left = readdirSync(folder);
  expect(left).toHaveLength(2);
  expect(left).toContain('of-somebody-else');
  expect(left).not.toContain('postrider-20200101T000000Z.dump');
});
