// What a test file gets for itself: its own migrated database, key prefix and settings on the shared real servers.
// `createContext()` in beforeAll, `context.close()` in afterAll.

import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';

import { loadConfig, type Config } from '../../core/base/config.ts';
import { createLogger, type Logger } from '../../core/base/log.ts';
import { migrate } from '../../core/db/migrate.ts';
import { openDatabase, type Database } from '../../core/db/pool.ts';

/** One test file's world. */
export interface Context {
  config: Config;
  /** The settings as environment variables, for processes that the test starts. */
  env: Record<string, string>;
  db: Database;
  log: Logger;
  close(): Promise<void>;
}

const MIGRATIONS = join(import.meta.dirname, '../../core/db/migrations');

/** Makes the world. `overrides` are further settings, as environment variables. */
export async function createContext(overrides: Record<string, string> = {}): Promise<Context> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const databaseUrl = await createDatabase(name);
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: inject('redisUrl'),
    NATS_URL: inject('natsUrl'),
    KEY_PREFIX: name,
    MASTER_KEY: randomBytes(32).toString('base64'),
    INTERNAL_TOKEN: randomBytes(24).toString('hex'),
    API_HTTPS_PORT: '0',
    API_HTTP_PORT: '0',
    SUBMISSION_PORT: '0',
    SUBMISSIONS_PORT: '0',
    SENDER_GRPC_PORT: '0',
    INBOUND_SMTP_PORT: '0',
    METRICS_PORT: '0',
    STOP_DELAY_SECONDS: '0',
    LOG_LEVEL: 'silent',
    TEST_KNOBS: 'true',
    OUTBOUND_ALLOW_PRIVATE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...overrides,
  };
  const config = loadConfig(env);
  const log = createLogger(config, 'test');
  const db = openDatabase(config, log);
  return {
    config,
    env,
    db,
    log,
    close: async () => {
      await db.close();
      await withAdmin((client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

// A database made from a migrated template takes 50 ms, the migrations themselves half a second. The template's name
// carries the migrations' hash, so a change of theirs makes a new one.
async function createDatabase(name: string): Promise<string> {
  const template = `template_${migrationsHash()}`;
  await withAdmin(async (client) => {
    await client.query('select pg_advisory_lock(7201962)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) {
      await client.query(`create database ${template}_new`);
      await migrate(urlOf(`${template}_new`));
      await client.query(`alter database ${template}_new rename to ${template}`);
    }
    await client.query(`create database ${name} template ${template}`);
  });
  return urlOf(name);
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS).filter((one) => one.endsWith('.sql'))) {
    hash.update(readFileSync(join(MIGRATIONS, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

function urlOf(database: string): string {
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${database}`;
  return url.toString();
}

async function withAdmin(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
