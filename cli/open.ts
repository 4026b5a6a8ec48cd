// What commands work with, opened when they need it. Settings come from the environment; without DATABASE_URL they
// are those of the `npm start` that runs in this checkout.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ConfigError, loadConfig, settings, type Config } from '../core/base/config.ts';
import { createLogger, type Logger } from '../core/base/log.ts';
import { openDatabase, type Database } from '../core/db/pool.ts';
import type { Connection } from '../local/start/connection.ts';
import { serviceEnvironment } from '../local/start/environment.ts';
import { loadSecrets } from '../local/start/secrets.ts';

/** Environment variables. */
export type Env = Record<string, string | undefined>;

/** What commands work with. */
export interface CliDeps {
  db: Database;
  /** With which `db` was opened. */
  databaseUrl: string;
  log: Logger;
  /** All settings; throws ConfigError when one is missing that the command needs. */
  config(): Config;
}

const LOCAL = join(import.meta.dirname, '../.local');

/** Opens the database that the environment or the running `npm start` names. */
export async function openCli(own: Env, folder = LOCAL): Promise<CliDeps> {
  const env = own['DATABASE_URL'] ? own : await localEnvironment(own, folder);
  const needed = settings
    .pick({ DATABASE_URL: true, DATABASE_POOL_SIZE: true })
    .safeParse({ DATABASE_URL: env['DATABASE_URL'] });
  if (!needed.success) throw new ConfigError('DATABASE_URL: is not the URL of a PostgreSQL database');
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'cli'); // stdout belongs to the answer
  return {
    db: openDatabase(needed.data, log),
    databaseUrl: needed.data.DATABASE_URL,
    log,
    config: () => loadConfig(env),
  };
}

async function localEnvironment(own: Env, folder: string): Promise<Env> {
  const connection = await readConnection(join(folder, 'connection.json'));
  const { simulator } = connection;
  return serviceEnvironment({
    own,
    secrets: await loadSecrets(join(folder, 'secrets.json')),
    databaseUrl: connection.database_url,
    redisUrl: connection.redis_url,
    natsUrl: connection.nats_url,
    tls: { caFile: connection.ca_file, certFile: '', keyFile: '' },
    ports: {
      apiHttps: Number(new URL(connection.base_url).port),
      apiHttp: 0,
      grpc: Number(connection.grpc_address.split(':').at(-1)),
      inboundSmtp: connection.inbound_smtp.port,
      submission: 0,
      submissions: 0,
      metrics: 0,
      simulatorSmtp: simulator.smtp_port,
      simulatorDns: simulator.dns_port,
      simulatorHttp: simulator.http_port,
    },
  });
}

async function readConnection(file: string): Promise<Connection> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Connection;
  } catch {
    throw new ConfigError('set DATABASE_URL, or run this while `npm start` is up in the same checkout');
  }
}
