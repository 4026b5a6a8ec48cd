// One inbound process on a database of its own, for the parts that measure it.

import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

import { sleep } from '../../core/base/clock.ts';
import { loadConfig, type Config } from '../../core/base/config.ts';
import { createLogger } from '../../core/base/log.ts';
import { migrate } from '../../core/db/migrate.ts';
import { openDatabase, type Database } from '../../core/db/pool.ts';
import { freePort } from '../../local/servers/free-port.ts';
import type { Bench } from './bench.ts';

/** A running inbound process, its database and its settings. */
export interface InboundProcess {
  db: Database;
  config: Config;
  pid: number;
  /** Where SMTP listens. */
  port: number;
  close(): Promise<void>;
}

/** Starts it and waits until it is ready. */
export async function openInboundProcess(bench: Bench): Promise<InboundProcess> {
  const name = bench.freshName();
  const databaseUrl = await createDatabase(bench.servers.databaseUrl, name);
  const port = await freePort();
  const metricsPort = await freePort();
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    REDIS_URL: bench.servers.redisUrl,
    NATS_URL: bench.servers.natsUrl,
    KEY_PREFIX: name,
    MASTER_KEY: randomBytes(32).toString('base64'),
    INTERNAL_TOKEN: randomBytes(24).toString('hex'),
    INBOUND_SMTP_PORT: `${port}`,
    METRICS_PORT: `${metricsPort - 2}`,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
  };
  const config = loadConfig(env);
  const db = openDatabase(config, createLogger({ LOG_LEVEL: 'silent' }, 'bench'));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../inbound/main.ts')], {
    env: { PATH: '/usr/bin:/bin', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(bench.folder, 'log', 'inbound.log'), { flags: 'a' });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const close = async () => {
    forget();
    await kill(child);
    await db.close();
    await admin(bench.servers.databaseUrl, `drop database if exists ${name} with (force)`);
  };
  const forget = bench.onEnd(close);
  await untilReady(metricsPort, child);
  return { db, config, pid: child.pid ?? 0, port, close };
}

/** An HTTP server that answers so, on a port of its own. */
export function listen(answer: (response: ServerResponse, id: string) => void): Promise<Server> {
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    request.resume().on('end', () => answer(response, id));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Where it listens. */
export function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function createDatabase(adminUrl: string, name: string): Promise<string> {
  await admin(adminUrl, `create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await migrate(url.toString());
  return url.toString();
}

async function admin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function untilReady(metricsPort: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error('inbound did not start; see .local/bench/log/inbound.log');
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error('inbound did not become ready');
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
