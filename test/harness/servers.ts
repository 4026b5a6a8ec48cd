// Real PostgreSQL, Redis and NATS for one run of the tests (vitest's globalSetup). Test files get the addresses with
// `inject('databaseUrl')`, `inject('redisUrl')` and `inject('natsUrl')`. DATABASE_URL, REDIS_URL and NATS_URL of the
// environment win. Otherwise private servers run, with their data in memory where there is room, else under .local/test.
// Redis and NATS start empty; databases that a killed run left are dropped.
//
// TEST_SERVERS says what they are, and only this file and test/harness/on-clusters.ts read it: `single` (one of each), or `cluster`
// (`npm run test:nightly -- cluster`: Redis Cluster, three NATS servers, and two of each service wherever a test does not say how many).

import { createHash } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';

import { buildDashboardIfStale } from '../../dashboard/build.ts';
import { buildBundleIfStale } from '../../local/bundle/build.ts';
import { LockedError } from '../../local/servers/lock.ts';
import { startClusters } from './clusters.ts';
import { startCitus } from '../../local/servers/citus.ts';
import { startServers, type Servers } from '../../local/servers/start-servers.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';

declare module 'vitest' {
  /** What `inject` gives to the test files. */
  export interface ProvidedContext {
    databaseUrl: string;
    redisUrl: string;
    natsUrl: string;
    /** How many of each service a test gets that does not say how many. */
    copies: number;
    /** Of the nodes of the Citus cluster, the coordinator first; none with the record in a plain PostgreSQL. */
    citusUrls: string[];
    record: 'plain' | 'schemas' | 'citus';
  }
}

const ROOT = join(import.meta.dirname, '../..');
const MOST_RUNS_AT_ONCE = 8; // in one checkout, each with its own folder and servers
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 8 * 2 ** 30; // that must be free: a run needs up to 3 GiB, Citus more

/** What Redis and NATS are, by the value of TEST_SERVERS. */
const KINDS: Record<string, { copies: number; start(): Promise<Given> }> = {
  single: { copies: 1, start: () => Promise.resolve({ env: {}, stop: () => Promise.resolve() }) },
  cluster: { copies: 2, start: startAsClusters },
};

/** Servers that private ones are not needed for. */
interface Given {
  env: { REDIS_URL?: string; NATS_URL?: string };
  stop(): Promise<void>;
}

/** Starts the servers, hands on their addresses, and returns what stops them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await Promise.all([buildDashboardIfStale(print), buildBundleIfStale(print)]);
  const kind = process.env['TEST_SERVERS'] ?? 'single';
  const wanted = KINDS[kind];
  if (!wanted) throw new Error(`TEST_SERVERS is one of ${Object.keys(KINDS).join(', ')}, not ${kind}`);
  const given = await wanted.start();
  const servers = await startInFreeFolder(given).catch(async (error: unknown) => {
    await given.stop();
    throw error;
  });
  project.provide('copies', wanted.copies);
  project.provide('databaseUrl', servers.databaseUrl);
  project.provide('redisUrl', servers.redisUrl);
  project.provide('natsUrl', servers.natsUrl);
  project.provide('citusUrls', servers.citusUrls);
  project.provide('record', record());
  if ('postgres' in servers.pids()) await dropLeftovers([servers.databaseUrl]);
  await dropLeftovers(servers.citusUrls);
  return async () => {
    await Promise.all([servers.stop(), given.stop()]);
    if (servers.dataDir.startsWith(MEMORY)) await rm(servers.dataDir, { recursive: true, force: true });
  };
}

async function startAsClusters(): Promise<Given> {
  const { redis, nats, stop } = await startClusters();
  print('Redis Cluster and three NATS servers are ready');
  return { env: { REDIS_URL: redis.url, NATS_URL: nats.url }, stop };
}

interface TestServers extends Servers {
  citusUrls: string[];
  dataDir: string;
}

async function startInFreeFolder(given: Given): Promise<TestServers> {
  const first = isRoomInMemory() ? join(MEMORY, `postrider-${folderId()}`) : join(ROOT, '.local/test');
  for (let run = 1; run <= MOST_RUNS_AT_ONCE; run++) {
    const dataDir = run === 1 ? first : `${first}-${run}`;
    try {
      return await startIn(dataDir, given);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
    }
  }
  throw new Error(`${MOST_RUNS_AT_ONCE} runs of the tests are going on in this checkout already`);
}

// Making and dropping databases by the hundred is a fifth quicker there.
function isRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES;
}

// Of this checkout: a run finds what a killed one left.
function folderId(): string {
  return createHash('sha256').update(ROOT).digest('hex').slice(0, 8);
}

async function startIn(dataDir: string, { env }: Given): Promise<TestServers> {
  const all = { ...process.env, ...env };
  const start = () => (record() === 'citus' ? startWithCitus(dataDir, all) : startPlain(dataDir, all));
  return start().catch(async (error: unknown) => {
    if (!(error instanceof Error) || !error.message.startsWith('postgres ')) throw error;
    print(`${error.message}\nstarting again with a new cluster`);
    await rm(dataDir, { recursive: true, force: true });
    return start();
  });
}

async function startPlain(dataDir: string, env: NodeJS.ProcessEnv): Promise<TestServers> {
  return { ...(await startServers({ dataDir, log: print, scratch: true, env })), citusUrls: [], dataDir };
}

// The record's servers start once the folder is locked, and stop with the others.
async function startWithCitus(dataDir: string, env: NodeJS.ProcessEnv): Promise<TestServers> {
  const watchdog = startWatchdog();
  const others = await startServers({
    dataDir,
    log: print,
    scratch: true,
    watchdog,
    env: { ...env, DATABASE_URL: 'postgres://none' },
  });
  const stop = async () => {
    await others.stop();
    watchdog.close();
  };
  try {
    const cluster = await startCitus({ dataDir: resolve(dataDir), watchdog, log: print });
    const citusUrls = cluster.urls('postgres');
    const stopAll = () => cluster.stop().then(stop);
    return { ...others, databaseUrl: citusUrls[0]!, citusUrls, dataDir, stop: stopAll };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * What has the record: `plain`, the first bucket of one PostgreSQL, `schemas`, a second bucket beside it, or `citus`, a bucket on a
 * node of a cluster.
 */
function record(): 'plain' | 'schemas' | 'citus' {
  const said = process.env['TEST_RECORD'] ?? 'plain';
  if (said === 'plain' || said === 'schemas' || said === 'citus') return said;
  throw new Error('TEST_RECORD must be plain, schemas or citus');
}

async function dropLeftovers(urls: string[]): Promise<void> {
  await Promise.all(urls.map(dropLeftoversOf));
}

async function dropLeftoversOf(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where datname like 't\\_%' or datname like '%\\_new'",
    );
    for (const { datname } of rows) await client.query(`drop database if exists "${datname}" with (force)`);
  } finally {
    await client.end();
  }
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
