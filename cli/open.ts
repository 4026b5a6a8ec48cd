// What commands work with, opened when they need it. Settings come from the environment; without DATABASE_URL they
// are those of the `npm start` that runs in this checkout.

import { join } from 'node:path';

import { ConfigError, loadConfig, settings, type Config } from '../core/base/config.ts';
import { createLogger, type Logger } from '../core/base/log.ts';
import { createBuckets, type Buckets } from '../core/db/buckets.ts';
import { openDatabase, type Database } from '../core/db/pool.ts';

/** Environment variables. */
export type Env = Record<string, string | undefined>;

/** What commands work with. */
export interface CliDeps {
  /** The first bucket, and the tables that there are once. */
  db: Database;
  buckets: Buckets;
  /** With which `db` was opened. */
  databaseUrl: string;
  log: Logger;
  /** All settings; throws ConfigError when one is missing that the command needs. */
  config(): Config;
}

const LOCAL = join(import.meta.dirname, '../.local');

/** Opens the database that the environment or the running `npm start` names. */
export async function openCli(own: Env, folder = LOCAL): Promise<CliDeps> {
  const env = own['DATABASE_URL'] ? own : await readLocal(own, folder);
  const needed = settings
    .pick({ DATABASE_URL: true, DATABASE_POOL_SIZE: true })
    .safeParse({ DATABASE_URL: env['DATABASE_URL'] });
  if (!needed.success) throw new ConfigError('DATABASE_URL: is not the URL of a PostgreSQL database');
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'cli'); // stdout belongs to the answer
  const db = openDatabase(needed.data, log);
  return {
    db,
    buckets: createBuckets(db),
    databaseUrl: needed.data.DATABASE_URL,
    log,
    config: () => loadConfig(env),
  };
}

async function readLocal(own: Env, folder: string): Promise<Env> {
  const local = await import('./local-environment.ts').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? new ConfigError('DATABASE_URL: is not set') : error;
  });
  return local.localEnvironment(own, folder);
}
