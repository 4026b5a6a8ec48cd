// A private PostgreSQL: loopback only, no socket file, a password, commits flushed to disk.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

import { monotonicMs } from '../../core/base/clock.ts';
import type { Binary, BinarySpec } from './find-binary.ts';
import { freePort } from './free-port.ts';
import type { LogLine } from './install.ts';
import { notRoot, type NotRoot } from './not-root.ts';
import { endProcess, isAlive, workingFolder } from './pid-file.ts';
import { startAndWait, type PrivateServer, type ServerPlace } from './private-server.ts';

/** Which PostgreSQL will do, and where it may lie. */
export const POSTGRES_BINARY: BinarySpec = {
  name: 'postgres',
  atLeast: [15, 0],
  companions: ['initdb'],
  folders: [
    '/usr/lib/postgresql/*/bin',
    '/usr/pgsql-*/bin',
    '/usr/local/bin',
    '/usr/local/pgsql/bin',
    '/opt/homebrew/opt/postgresql@*/bin',
  ],
};

/** The database that `npm start` uses. */
const DATABASE_NAME = 'postrider';

const USER = 'postrider';
const STOP_LIMIT_MS = 6_000;
const OUTPUT_KEPT = 2_000; // characters of initdb's output shown when it fails
// Kept among the data, so that the two are lost together or not at all.
const PASSWORD_FILE = 'postrider.password';

// Local settings for a small machine: durable like production, with fewer checkpoints.
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  effective_cache_size: '1GB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'on',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off', // our statements are short; compiling them costs more than it saves
  max_locks_per_transaction: '256', // every partition takes one
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
};

/** Starts PostgreSQL with its data under `postgres/`, making the cluster and the database where they are absent. */
export async function startPostgres(binary: Binary, place: ServerPlace): Promise<PrivateServer> {
  const node = await startInstance(binary, place, { name: 'postgres', port: await freePort() });
  return { url: node.url(DATABASE_NAME), process: node.process };
}

/** One PostgreSQL of several. */
interface Instance {
  /** Of its folder, its log and its process. */
  name: string;
  port: number;
  /** Beside those of every local PostgreSQL, which they win over. */
  settings?: Record<string, string>;
  /** The environment of the server; this process' own when absent. */
  env?: Record<string, string | undefined>;
  /** For data that are made now; a random one when absent. */
  password?: string;
}

/** A PostgreSQL that answers. */
export interface RunningInstance extends Pick<PrivateServer, 'process'> {
  url: (database: string) => string;
}

/** Starts one PostgreSQL with its data under its name, making them where they are absent. */
export async function startInstance(
  binary: Binary,
  place: ServerPlace,
  { name, port, settings: own = {}, env, password: wanted = randomBytes(18).toString('hex') }: Instance,
): Promise<RunningInstance> {
  const way = place.notRoot ?? (await notRoot(place.dataDir));
  const folder = join(way.folder, name);
  await makeCluster(binary, folder, way, wanted, place.log);
  const password = await readFile(join(folder, PASSWORD_FILE), 'utf8');
  const settings = Object.entries({ ...SETTINGS, ...own, port: `${port}` });
  const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
  const process = await startAndWait(
    {
      name,
      ...way.wrap(binary.path, [
        '-D',
        folder,
        ...settings.flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ]),
      ...way.ids,
      ...(env && { env }),
      cwd: folder,
      stopSignal: 'SIGINT', // "fast": ends the sessions and writes a checkpoint
      stopLimitMs: STOP_LIMIT_MS,
      logFile: join(place.dataDir, 'log', `${name}.log`),
      pidFile: join(place.dataDir, `${name}.pid`),
      prepare: () => clearPostmasterPid(folder),
    },
    place,
    () => makeDatabase(url('postgres')),
  );
  return { url, process };
}

// initdb works in a folder beside, so that one that was interrupted is never taken for a cluster.
async function makeCluster(
  binary: Binary,
  folder: string,
  way: NotRoot,
  password: string,
  log: LogLine,
): Promise<void> {
  const present = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (present !== undefined) return checkVersion(Number(present), binary, folder);
  const startedAt = monotonicMs();
  log('making a PostgreSQL cluster (once)');
  const fresh = `${folder}.new`;
  const passwordFile = `${folder}.password`; // for initdb
  await rm(fresh, { recursive: true, force: true });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (way.ids) await chown(passwordFile, way.ids.uid, way.ids.gid);
  await runInitdb(way, join(binary.folder, 'initdb'), [
    ...['-D', fresh, '-U', USER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    ...['--encoding=UTF8', `--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'en_US.UTF-8'}`],
  ]);
  await rename(passwordFile, join(fresh, PASSWORD_FILE));
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
  log(`made in ${((monotonicMs() - startedAt) / 1000).toFixed(1)} s`);
}

function checkVersion(present: number, binary: Binary, folder: string): void {
  if (present === binary.version[0]) return;
  throw new Error(
    `the data in ${folder} belong to PostgreSQL ${present}, but this machine has ${binary.version[0]}: ` +
      `install that version, or delete the folder to start empty`,
  );
}

function runInitdb(way: NotRoot, initdb: string, args: string[]): Promise<void> {
  const wrapped = way.wrap(initdb, args);
  const child = spawn(wrapped.command, wrapped.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    ...way.ids,
  });
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_KEPT));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${initdb} failed (${code}):\n${output}`)),
    );
  });
}

// After a kill -9 the file names a pid that is gone, or that somebody else has by now, for which PostgreSQL would
// refuse to start. One that really works in this folder is stopped first.
async function clearPostmasterPid(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (pid > 0 && isAlive(pid) && (await workingFolder(pid)) === folder)
    await endProcess(pid, 'SIGINT', STOP_LIMIT_MS);
  await rm(file, { force: true });
}

async function makeDatabase(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE_NAME]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE_NAME}`);
    return true;
  } finally {
    await client.end();
  }
}
