// A private Citus cluster: one coordinator and two workers on loopback (docs/citus.md). A database of it is made on every node.

import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

import { findCitus } from './citus-binary.ts';
import { freePort, freePortOr } from './free-port.ts';
import { MissingServerError } from './install.ts';
import { notRoot } from './not-root.ts';
import { startInstance, type RunningInstance } from './postgres.ts';
import type { ServerPlace } from './private-server.ts';

/** A running cluster. */
export interface CitusCluster {
  /** The URLs of a database, of the coordinator first. */
  urls(database: string): string[];
  pids: () => Record<string, number>;
  /**
   * Starts a node that was stopped, or one more server beside them, which is not a node yet. Its data are those under its
   * name, or made. Returns the URL of a database of it.
   */
  start(name: string): Promise<RunningInstance['url']>;
  /** Stops one; only `start` brings it back. */
  stopOne(name: string): Promise<void>;
  /** Where the data of a server lie. */
  folderOf(name: string): string;
  stop(): Promise<void>;
}

const NAMES = ['citus', 'citus-worker-1', 'citus-worker-2'];
const PASSWORD_FILE = 'citus.pgpass';

const MAX_CONNECTIONS = 300; // those of a worker are the coordinator's and those of the other worker
const SETTINGS: Record<string, string> = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical', // a bucket moves by logical replication
  max_connections: `${MAX_CONNECTIONS}`,
  max_prepared_transactions: `${2 * MAX_CONNECTIONS}`, // commits on several nodes (2PC)
  'citus.recover_2pc_interval': '5s', // the default is 60 s, in which what such a commit wrote stays locked
  max_locks_per_transaction: '1024', // a bucket's move locks every table and partition of it
  max_worker_processes: '64', // each database has a daemon of Citus, on every node
  shared_buffers: '128MB',
  'citus.local_hostname': '127.0.0.1',
  'citus.node_conninfo': 'sslmode=disable', // on loopback; the default asks for TLS
  'citus.enable_statistics_collection': 'off',
};

/** Starts the cluster, with its data under the names of its nodes. Throws MissingServerError where there is no Citus. */
export async function startCitus(place: ServerPlace): Promise<CitusCluster> {
  const binary = await findCitus(place.dataDir);
  if (typeof binary === 'string') throw new MissingServerError(binary);
  await mkdir(join(place.dataDir, 'log'), { recursive: true });
  const way = place.notRoot ?? (await notRoot(place.dataDir));
  const ports = await portsOf(place.dataDir);
  // Nodes know each other by port: with other ports the data are of no use.
  if (ports.areNew)
    for (const name of NAMES) await rm(join(way.folder, name), { recursive: true, force: true });
  const passwords = join(way.folder, PASSWORD_FILE);
  // One for all: who adds a node gives it the roles of the coordinator, with their passwords.
  const password = randomBytes(18).toString('hex');
  const portOf = new Map(NAMES.map((name, i) => [name, ports.list[i]!]));
  const running = new Map<string, RunningInstance>();
  const stop = async () =>
    void (await Promise.all([...running.values()].map((server) => server.process.stop())));
  const start = async (name: string) => {
    const env = { ...process.env, PGPASSFILE: passwords, HOME: way.folder };
    const port = portOf.get(name) ?? (await freePort());
    portOf.set(name, port);
    const instance = { name, port, settings: SETTINGS, env, password };
    const server = await startInstance(binary, { ...place, notRoot: way }, instance);
    running.set(name, server);
    return server.url;
  };
  const urls = (database: string) => NAMES.map((name) => running.get(name)!.url(database));
  const all = () => [...running.values()].map((server) => server.url('postgres'));
  const failed = (await Promise.allSettled(NAMES.map(start))).find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  await writePasswords(passwords, all(), way.ids);
  return {
    urls,
    pids: () => Object.fromEntries([...running].map(([name, server]) => [name, server.process.pid()])),
    start: async (name) => {
      const url = await start(name);
      await writePasswords(passwords, all(), way.ids);
      return url;
    },
    stopOne: (name) => running.get(name)!.process.stop(),
    folderOf: (name) => join(way.folder, name),
    stop,
  };
}

/**
 * Makes a database: on every node, with the extension, and the workers known to the coordinator. `urls` as `urls` of the
 * cluster gives them. About a second.
 */
export async function makeCitusDatabase(urls: string[], name: string): Promise<void> {
  await Promise.all(urls.map((url) => withClient(url, (client) => client.query(`create database ${name}`))));
  const own = urls.map((url) => urlOf(url, name));
  await Promise.all(own.map((url) => withClient(url, (client) => client.query('create extension citus'))));
  await withClient(own[0]!, async (client) => {
    const [coordinator, ...workers] = own.map((url) => new URL(url));
    await client.query('select citus_set_coordinator_host($1, $2)', [
      coordinator!.hostname,
      coordinator!.port,
    ]);
    for (const { hostname, port } of workers)
      await client.query('select citus_add_node($1, $2)', [hostname, port]);
  });
}

/** The URL of another database of the same server. */
export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

// Those of the last start, unless somebody else has one by now.
async function portsOf(dataDir: string): Promise<{ list: number[]; areNew: boolean }> {
  const file = join(dataDir, 'citus.ports');
  const list = (await readFile(file, 'utf8').catch(() => '')).split(' ').filter(Boolean).map(Number);
  const free = await Promise.all(list.map(async (port) => (await freePortOr(port)) === port));
  if (list.length === NAMES.length && free.every(Boolean)) return { list, areNew: false };
  const fresh: number[] = [];
  for (const _ of NAMES) fresh.push(await freePort());
  await writeFile(file, fresh.join(' '));
  return { list: fresh, areNew: true };
}

// libpq's file of passwords (PostgreSQL manual, "The Password File"): with it one node signs in to another.
async function writePasswords(
  file: string,
  urls: string[],
  ids?: { uid: number; gid: number },
): Promise<void> {
  const lines = urls.map((text) => {
    const { hostname, port, username, password } = new URL(text);
    return `${hostname}:${port}:*:${username}:${password}\n`;
  });
  await writeFile(file, lines.join(''), { mode: 0o600 });
  if (ids) await chown(file, ids.uid, ids.gid);
}

/** Connects for one piece of work. */
export async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
