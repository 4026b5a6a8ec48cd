// What is measured: api and sender processes on a fresh, seeded database, delivering to the bench's own mail sink.
// Each part starts its own, so that none inherits another's backlog.

import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

import { loadConfig } from '../../core/base/config.ts';
import { createLogger } from '../../core/base/log.ts';
import { migrate } from '../../core/db/migrate.ts';
import { openDatabase, type Database } from '../../core/db/pool.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { ensureTls } from '../../local/tls.ts';
import type { Bench } from './bench.ts';
import { seed, type Seed } from './seed.ts';
import { startService, type Service } from './service.ts';
import { startSink, type Sink } from './sink.ts';

/** The running stack. */
export interface Stack {
  seed: Seed;
  db: Database;
  sink: Sink;
  senders: Service[];
  senderAddresses: string[];
  api: Service | null;
  scheduler: Service | null;
  inbound: Service | null;
  /** `https://127.0.0.1:…` and the CA that signed its certificate. */
  apiUrl: string;
  /** SMTP submission of the api, with STARTTLS. */
  submissionPort: number;
  caFile: string;
  certFile: string;
  keyFile: string;
  /** Token of gRPC calls. */
  internalToken: string;
  /** The seed as a file, for k6. */
  seedFile: string;
  /** Ends everything; the database is dropped. With profiles, the services are asked to end and may take a while. */
  close(): Promise<void>;
}

/** Starts the stack. `holdMail` lets the sink leave senders waiting, so that accepting is measured by itself. */
export async function startStack(
  bench: Bench,
  options: {
    api?: boolean;
    scheduler?: boolean;
    inbound?: boolean;
    senders?: number;
    holdMail?: boolean;
    /** As PACK_CONTENT of the services; true by default. */
    packContent?: boolean;
    /** Services as `npm run bundle` made them. */
    bundled?: boolean;
    /** Folder of compiled code (NODE_COMPILE_CACHE); none by default. */
    compileCache?: string;
    /** One more sender, for bulk mail only; the scheduler prefers it. */
    bulkSender?: boolean;
    /** As API_CONNECTIONS_PER_ADDRESS; far above what a load has, which comes from one address. */
    connectionsPerAddress?: number;
    part: string;
  },
): Promise<Stack> {
  const name = bench.freshName();
  const databaseUrl = await createDatabase(bench.servers.databaseUrl, name);
  const sink = await startSink();
  if (options.holdMail) await sink.hold(true);
  const tls = await ensureTls(join(bench.folder, 'tls'));
  const env = {
    ...environment(bench, { name, databaseUrl, sink }),
    PACK_CONTENT: `${options.packContent ?? true}`,
    ...(options.compileCache === undefined ? {} : { NODE_COMPILE_CACHE: options.compileCache }),
  };
  const config = loadConfig(env);
  const db = openDatabase(config, createLogger({ LOG_LEVEL: 'silent' }, 'bench'));
  const seeded = await seed(db, config);
  const seedFile = join(bench.folder, 'seed.json');
  await writeFile(seedFile, JSON.stringify(seeded), { mode: 0o600 });

  const services: Service[] = [];
  const close = async () => {
    forget();
    await Promise.all(services.map((one) => (bench.options.profile ? one.stop() : one.kill())));
    await sink.stop();
    await db.close();
    await dropDatabase(bench.servers.databaseUrl, name);
  };
  const forget = bench.onEnd(close);
  const profileFolder = bench.options.profile ? join(bench.folder, 'profiles', options.part) : undefined;
  if (profileFolder) await mkdir(profileFolder, { recursive: true });
  const start = async (service: 'api' | 'sender' | 'inbound' | 'scheduler', more: Record<string, string>) => {
    const logFile = join(bench.folder, 'log', `${service}.log`);
    const { watchdog } = bench;
    const started = await startService(service, {
      env: { ...env, ...more },
      logFile,
      profileFolder,
      watchdog,
      bundled: options.bundled,
    });
    services.push(started);
    return started;
  };
  const senderAddresses: string[] = [];
  for (let n = 0; n < (options.senders ?? bench.options.senders); n++) {
    const port = await freePort();
    await start('sender', { SENDER_GRPC_PORT: `${port}` });
    senderAddresses.push(`127.0.0.1:${port}`);
  }
  const bulkAddresses: string[] = [];
  if (options.bulkSender) {
    const port = await freePort();
    await start('sender', { SENDER_GRPC_PORT: `${port}`, SENDER_BULK_ONLY: 'true' });
    bulkAddresses.push(`127.0.0.1:${port}`);
  }
  const senders = [...services];
  const httpsPort = await freePort();
  const submissionPort = await freePort();
  const api = options.api
    ? await start('api', {
        API_HTTPS_PORT: `${httpsPort}`,
        PUBLIC_URL: `https://localhost:${httpsPort}`,
        API_HTTP_PORT: `${await freePort()}`,
        API_CONNECTIONS_PER_ADDRESS: `${options.connectionsPerAddress ?? 10_000}`,
        SUBMISSION_PORT: `${submissionPort}`,
        SUBMISSIONS_PORT: '0',
        TLS_CERT_FILE: tls.certFile,
        TLS_KEY_FILE: tls.keyFile,
        SENDER_ADDRESSES: senderAddresses.join(','),
      })
    : null;
  const scheduler = options.scheduler
    ? await start('scheduler', { SENDER_ADDRESSES: [...bulkAddresses, ...senderAddresses].join(',') })
    : null;
  const inbound = options.inbound
    ? await start('inbound', { INBOUND_SMTP_PORT: `${await freePort()}` })
    : null;
  return {
    seed: seeded,
    db,
    sink,
    senders,
    senderAddresses,
    api,
    scheduler,
    inbound,
    apiUrl: `https://localhost:${httpsPort}`,
    submissionPort,
    ...tls,
    internalToken: config.INTERNAL_TOKEN,
    seedFile,
    close,
  };
}

function environment(
  bench: Bench,
  of: { name: string; databaseUrl: string; sink: Sink },
): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: of.databaseUrl,
    REDIS_URL: bench.servers.redisUrl,
    NATS_URL: bench.servers.natsUrl,
    KEY_PREFIX: of.name,
    MASTER_KEY: randomBytes(32).toString('base64'),
    INTERNAL_TOKEN: randomBytes(24).toString('hex'),
    LOG_LEVEL: 'warn',
    DNS_SERVERS: `127.0.0.1:${of.sink.dnsPort}`,
    OUTBOUND_SMTP_PORT: `${of.sink.smtpPort}`,
    OUTBOUND_ALLOW_PRIVATE: 'true',
  };
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await asAdmin(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

function dropDatabase(serverUrl: string, name: string): Promise<void> {
  return asAdmin(serverUrl, `drop database if exists ${name} with (force)`);
}

async function asAdmin(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
