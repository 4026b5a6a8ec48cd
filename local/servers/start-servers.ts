// PostgreSQL, Redis and NATS for one checkout: those of the environment where given, otherwise private ones.

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';

import { monotonicMs } from '../../core/base/clock.ts';
import { findBinary, type Binary, type BinarySpec } from './find-binary.ts';
import { installPackages, type LogLine, type PackageNames } from './install.ts';
import { takeLock } from './lock.ts';
import { NATS_BINARY, startNats } from './nats.ts';
import { POSTGRES_BINARY, startPostgres } from './postgres.ts';
import type { NotRoot } from './not-root.ts';
import type { PrivateServer, ServerPlace } from './private-server.ts';
import { REDIS_BINARY, startRedis } from './redis.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

/** Servers that answer. */
export interface Servers {
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  /** Pids of the private ones by name; those of the environment are not here. */
  pids: () => Record<string, number>;
  stop(): Promise<void>;
}

/** Where the data go, where progress is logged, and which servers are given. */
export interface StartServersOptions {
  dataDir: string;
  log: LogLine;
  /** DATABASE_URL, REDIS_URL and NATS_URL are looked up here; each one given is used as it is. */
  env?: Record<string, string | undefined>;
  /** Kept by the caller, who has other processes on its list; made and closed here when absent. */
  watchdog?: Watchdog;
  /** Redis and NATS start empty, for tests. */
  scratch?: boolean;
  /** How PostgreSQL is run; chosen for this machine when absent. */
  notRoot?: NotRoot;
}

type ServerName = 'postgres' | 'redis' | 'nats';

interface Kind {
  variable: string;
  binary: BinarySpec;
  packages: PackageNames;
  start(binary: Binary, place: ServerPlace): Promise<PrivateServer>;
}

const KINDS: Record<ServerName, Kind> = {
  postgres: {
    variable: 'DATABASE_URL',
    binary: POSTGRES_BINARY,
    packages: { apt: 'postgresql', brew: 'postgresql@17' },
    start: startPostgres,
  },
  redis: {
    variable: 'REDIS_URL',
    binary: REDIS_BINARY,
    packages: { apt: 'redis-server', brew: 'redis' },
    start: (binary, place) => startRedis(binary.path, randomBytes(18).toString('hex'), place),
  },
  nats: {
    variable: 'NATS_URL',
    binary: NATS_BINARY,
    packages: { apt: 'nats-server', brew: 'nats-server' },
    start: (binary, place) => startNats(binary.path, place),
  },
};

/** Starts what the environment does not give, all at once, and waits until every server answers. */
export async function startServers(options: StartServersOptions): Promise<Servers> {
  const env = options.env ?? process.env;
  const startedAt = monotonicMs();
  const names = (Object.keys(KINDS) as ServerName[]).filter((name) => !env[KINDS[name].variable]);
  const running = names.length === 0 ? undefined : await startPrivate(names, options);
  if (running) options.log(`${names.join(', ')} ready after ${seconds(startedAt)}`);
  const url = (name: ServerName) => env[KINDS[name].variable] || (running?.servers.get(name)?.url ?? '');
  return {
    databaseUrl: url('postgres'),
    redisUrl: url('redis'),
    natsUrl: url('nats'),
    pids: () => pidsOf(running?.servers ?? new Map()),
    stop: async () => running?.stop(),
  };
}

interface Running {
  servers: Map<ServerName, PrivateServer>;
  stop(): Promise<void>;
}

async function startPrivate(names: ServerName[], options: StartServersOptions): Promise<Running> {
  const binaries = await requireBinaries(names, options.log);
  const dataDir = resolve(options.dataDir);
  await mkdir(`${dataDir}/log`, { recursive: true, mode: 0o700 });
  const lock = await takeLock(`${dataDir}/servers.lock`);
  if (options.scratch) await clear(['redis', 'nats'].map((name) => `${dataDir}/${name}`));
  const watchdog = options.watchdog ?? startWatchdog();
  const servers = new Map<ServerName, PrivateServer>();
  let stopped: Promise<void> | undefined;
  const stopAll = async () => {
    await Promise.all([...servers.values()].map((server) => server.process.stop()));
    if (options.watchdog === undefined) watchdog.close();
    await lock.release();
  };
  const stop = () => (stopped ??= stopAll());
  const { log, notRoot } = options;
  const place = { dataDir, watchdog, log, ...(notRoot && { notRoot }) };
  const starts = names.map(async (name) => {
    const binary = binaries.get(name);
    if (binary) servers.set(name, await KINDS[name].start(binary, place));
  });
  const failed = (await Promise.allSettled(starts)).find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { servers, stop };
}

async function clear(folders: string[]): Promise<void> {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

/** Finds servers on this machine, and installs those that are missing where it may. Throws MissingServerError with what to do. */
export async function requireBinaries(names: ServerName[], log: LogLine): Promise<Map<ServerName, Binary>> {
  const found = await findAll(names);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return found;
  await installPackages(
    missing.map((name) => KINDS[name].packages),
    log,
  );
  const installed = await findAll(missing);
  const absent = missing.filter((name) => !installed.has(name));
  if (absent.length > 0) {
    const wanted = absent.map(
      (name) => `${KINDS[name].binary.name} ≥ ${KINDS[name].binary.atLeast.join('.')}`,
    );
    throw new Error(`after the installation there is still no ${wanted.join(', no ')} on this machine`);
  }
  return new Map([...found, ...installed]);
}

async function findAll(names: ServerName[]): Promise<Map<ServerName, Binary>> {
  const found = new Map<ServerName, Binary>();
  for (const name of names) {
    const binary = await findBinary(KINDS[name].binary);
    if (binary) found.set(name, binary);
  }
  return found;
}

function pidsOf(servers: Map<ServerName, PrivateServer>): Record<string, number> {
  return Object.fromEntries([...servers].map(([name, server]) => [name, server.process.pid()]));
}

function seconds(startedAt: number): string {
  return `${((monotonicMs() - startedAt) / 1000).toFixed(1)} s`;
}
