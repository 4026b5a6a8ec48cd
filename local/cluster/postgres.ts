// Three PostgreSQL servers under Patroni with one etcd, on loopback: a primary, a standby that has every commit, and
// one that may become either. deploy/high-availability/patroni.yaml is what they run with.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { connectToPrimary } from '../../core/db/primary.ts';
import { serverUrls } from '../../core/base/database-url.ts';
import { findBinary } from '../servers/find-binary.ts';
import { freePort } from '../servers/free-port.ts';
import { notRoot } from '../servers/not-root.ts';
import { POSTGRES_BINARY } from '../servers/postgres.ts';
import type { Watchdog } from '../servers/watchdog.ts';
import { createMachine, killAll, startOrKill, type Machine } from './machine.ts';

// Where Debian puts them.
const PATRONI = '/usr/bin/patroni';
const ETCD = '/usr/bin/etcd';

/** A member as Patroni tells it (`GET /cluster`). */
interface Member {
  name: string;
  role: string;
  state: string;
  /** One more after each promotion; missing while its server does not answer. */
  timeline?: number;
}

/** The running cluster. */
export interface PostgresCluster {
  /** All servers in libpq's form. */
  url: string;
  machines: Machine[];
  /** What Patroni says of each server that is there; empty while none of its processes answers. */
  members(): Promise<Member[]>;
  stop(): Promise<void>;
}

/** A machine that has the primary. */
export interface Primary {
  machine: Machine;
  timeline: number;
}

interface Node {
  name: string;
  port: number;
  api: number;
}

const CONFIG = join(import.meta.dirname, '../../deploy/high-availability/patroni.yaml');
const NOT_INSTALLED = 'Patroni and etcd are not installed (apt-get install patroni python3-etcd etcd-server)';
const NAMES = ['one', 'two', 'three'];
const START_LIMIT_MS = 120_000; // two copies of a new cluster, on a busy machine
const STOP_LIMIT_MS = 10_000;

/** Why there can be no cluster on this machine, or null. */
export function postgresClusterMissing(): string | null {
  return existsSync(PATRONI) && existsSync(ETCD) ? null : NOT_INSTALLED;
}

/** Makes a new cluster in a folder, which must not have one, and waits until a standby has every commit. */
export async function startPostgresCluster(folder: string, watchdog: Watchdog): Promise<PostgresCluster> {
  const postgres = await findBinary(POSTGRES_BINARY);
  const missing = postgresClusterMissing();
  if (!postgres || missing !== null) throw new Error(missing ?? 'PostgreSQL is not installed');
  const password = randomBytes(18).toString('hex');
  const etcd = await createEtcd(folder, watchdog);
  const nodes: Node[] = [];
  for (const name of NAMES) nodes.push({ name, port: await freePort(), api: await freePort() });
  const machines = await Promise.all(
    nodes.map(async (node) => {
      const home = await notRootHome(join(folder, node.name));
      const env = {
        ...patroniEnv(node, home.folder, password),
        PATH: `${postgres.folder}:/usr/bin:/bin`,
        PATRONI_ETCD_HOSTS: etcd.address,
        PATRONI_POSTGRESQL_BIN_DIR: postgres.folder,
      };
      return createMachine(
        {
          name: node.name,
          ...home.wrap(PATRONI, [CONFIG]),
          ...home.ids,
          cwd: home.folder,
          env,
          stopSignal: 'SIGTERM',
          stopLimitMs: STOP_LIMIT_MS,
          logFile: join(folder, node.name, 'patroni.log'),
          pidFile: join(folder, node.name, 'patroni.pid'),
        },
        watchdog,
        join(home.folder, 'data'),
      );
    }),
  );
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const cluster: PostgresCluster = {
    url: `postgres://postrider:${password}@${hosts}/postrider?target_session_attrs=read-write`,
    machines,
    members: () => membersFrom(nodes),
    stop: () => killAll([...machines, etcd.machine]),
  };
  return startOrKill([...machines, etcd.machine], async () => {
    await etcd.machine.start();
    await Promise.all(machines.map((machine) => machine.start()));
    await untilWhole(cluster);
    await makeDatabase(cluster.url);
    return cluster;
  });
}

/** The primary as Patroni tells it, or null while there is none. */
export async function primaryOf(cluster: PostgresCluster): Promise<Primary | null> {
  return findPrimary(cluster, await cluster.members());
}

/**
 * Waits until all servers run on one timeline, one of them as the synchronous standby; returns the primary. A Patroni that
 * ended is started again: it does not start while the kernel still remembers connections to its port.
 */
export async function untilWhole(cluster: PostgresCluster): Promise<Primary> {
  const startedAt = monotonicMs();
  for (;;) {
    for (const machine of cluster.machines) if (!(await machine.isRunning())) await machine.start();
    const members = await cluster.members();
    const primary = findPrimary(cluster, members);
    if (primary && isWhole(members)) return primary;
    if (monotonicMs() - startedAt > START_LIMIT_MS) {
      const logs = await Promise.all(cluster.machines.map((machine) => machine.lastLines()));
      throw new Error(`the cluster is not whole: ${JSON.stringify(members)}\n${logs.join('\n──\n')}`);
    }
    await sleep(200);
  }
}

function isWhole(members: Member[]): boolean {
  const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
  return (
    running.length === NAMES.length &&
    new Set(running.map(({ timeline }) => timeline)).size === 1 &&
    running.some(({ role }) => role === 'sync_standby')
  );
}

function findPrimary({ machines }: PostgresCluster, members: Member[]): Primary | null {
  const leader = members.find(({ role, state }) => role === 'leader' && state === 'running');
  const machine = machines.find(({ name }) => name === leader?.name);
  return machine && leader?.timeline ? { machine, timeline: leader.timeline } : null;
}

async function membersFrom(nodes: Node[]): Promise<Member[]> {
  const answers = nodes.map(async ({ api }) => {
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`http://127.0.0.1:${api}/cluster`, { signal });
    return ((await answer.json()) as { members: Member[] }).members;
  });
  return Promise.any(answers).catch(() => []);
}

// With its links resolved, as the kernel tells working folders.
async function notRootHome(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const launcher = await notRoot(folder);
  return { ...launcher, folder: await realpath(launcher.folder) };
}

function patroniEnv({ name, port, api }: Node, folder: string, password: string): Record<string, string> {
  const login = (kind: string, user: string) => ({
    [`PATRONI_${kind}_USERNAME`]: user,
    [`PATRONI_${kind}_PASSWORD`]: password,
  });
  return {
    LANG: 'C.UTF-8',
    PATRONI_NAME: name,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${api}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${api}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: join(folder, 'data'),
    PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
    ...login('RESTAPI', 'patroni'),
    ...login('SUPERUSER', 'postrider'),
    ...login('REPLICATION', 'replicator'),
  };
}

// With its v2 API: patroni.yaml says why.
async function createEtcd(
  folder: string,
  watchdog: Watchdog,
): Promise<{ machine: Machine; address: string }> {
  const [port, peer] = [await freePort(), await freePort()];
  const home = join(folder, 'etcd');
  await mkdir(home, { recursive: true, mode: 0o700 });
  const at = (number: number) => `http://127.0.0.1:${number}`;
  const machine = createMachine(
    {
      name: 'etcd',
      command: ETCD,
      args: [
        ...['--name', 'etcd', '--data-dir', join(home, 'data'), '--enable-v2'],
        ...['--listen-client-urls', at(port), '--advertise-client-urls', at(port)],
        ...['--listen-peer-urls', at(peer), '--initial-advertise-peer-urls', at(peer)],
        ...['--initial-cluster', `etcd=${at(peer)}`],
      ],
      cwd: home,
      env: { PATH: '/usr/bin:/bin' },
      stopSignal: 'SIGTERM',
      stopLimitMs: STOP_LIMIT_MS,
      logFile: join(home, 'etcd.log'),
      pidFile: join(home, 'etcd.pid'),
    },
    watchdog,
  );
  return { machine, address: `127.0.0.1:${port}` };
}

async function makeDatabase(url: string): Promise<void> {
  const [first, ...others] = serverUrls(url).map((one) => one.replace(/postrider$/, 'postgres'));
  const client = await connectToPrimary([first!, ...others]);
  await client.query('create database postrider');
  await client.end();
}
