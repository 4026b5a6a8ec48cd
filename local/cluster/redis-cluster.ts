// Redis Cluster on loopback: three masters that share the slots, each with a replica that takes over. redis-cli makes it and
// moves slots, as an operator would.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { freePort } from '../servers/free-port.ts';
import type { Watchdog } from '../servers/watchdog.ts';
import { createMachine, killAll, startOrKill, type Machine } from './machine.ts';

/** A master that lives. */
export interface Master {
  id: string;
  port: number;
  /** First and last of each range. */
  slots: [number, number][];
}

/** The running cluster. */
export interface RedisCluster {
  /** For REDIS_URL. */
  url: string;
  /** By their ports: who is a master is what changes. */
  nodes: Map<number, Machine>;
  /** As a node that lives says; rejects when none does. */
  masters(): Promise<Master[]>;
  /** The slot of a key. */
  slotOf(key: string): Promise<number>;
  /** Moves so many slots, the lowest first, under whatever goes on. */
  moveSlots(from: Master, to: Master, count: number): Promise<void>;
  /** Empties all masters. */
  flush(): Promise<void>;
  /** Every node lives and every master has a replica with its data; nodes that ended are started again. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}

const CLI = '/usr/bin/redis-cli'; // where Debian puts it
const NODES = 6;
const NODE_TIMEOUT_MS = 2_000; // of silence, after which a replica takes over
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;
const run = promisify(execFile);

/** Why there can be no cluster on this machine, or null. */
export function redisClusterMissing(): string | null {
  return existsSync(CLI) ? null : 'redis-cli is not installed (apt-get install redis-tools)';
}

/** Starts them, empty, and waits until every replica could take over. */
export async function startRedisCluster(
  binary: string,
  password: string,
  folder: string,
  watchdog: Watchdog,
): Promise<RedisCluster> {
  const missing = redisClusterMissing();
  if (missing !== null) throw new Error(missing);
  const nodes = new Map<number, Machine>();
  for (let i = 0; i < NODES; i++) {
    const port = await freePort();
    nodes.set(port, await makeNode({ binary, password, folder, watchdog, port, bus: await freePort() }));
  }
  const ports = [...nodes.keys()];
  const cli = async (...args: string[]) => {
    const env = { REDISCLI_AUTH: password };
    return (await run(CLI, ['-h', '127.0.0.1', ...args], { env, timeout: START_LIMIT_MS })).stdout;
  };
  const ask = (port: number, ...command: string[]) => cli('-p', `${port}`, ...command);
  const askAny = (...command: string[]) => Promise.any(ports.map((port) => ask(port, ...command)));
  const cluster: RedisCluster = {
    url: ports.map((port) => `redis://:${password}@127.0.0.1:${port}`).join(','),
    nodes,
    masters: async () => readMasters(await askAny('cluster', 'nodes')),
    slotOf: async (key) => Number(await askAny('cluster', 'keyslot', key)),
    moveSlots: async (from, to, count) => {
      const ends = ['--cluster-from', from.id, '--cluster-to', to.id, '--cluster-slots', `${count}`];
      const address = `127.0.0.1:${from.port}`;
      // Refused while nodes disagree, as they do for a moment after the move before.
      await until(() => cli('--cluster', 'check', address).then(Boolean, () => false));
      await cli('--cluster', 'reshard', address, ...ends, '--cluster-yes');
    },
    flush: async () => {
      for (const { port } of await cluster.masters()) await ask(port, 'flushall');
    },
    untilWhole: () =>
      until(async () => {
        for (const node of nodes.values()) if (!(await node.isRunning())) await node.start();
        return (await Promise.all(ports.map((port) => isWhole(port, ask)))).every(Boolean);
      }),
    stop: () => killAll([...nodes.values()]),
  };
  return startOrKill([...nodes.values()], async () => {
    await Promise.all([...nodes.values()].map((node) => node.start()));
    await until(async () =>
      (await Promise.all(ports.map((port) => ask(port, 'ping').catch(() => '')))).every((said) =>
        said.startsWith('PONG'),
      ),
    );
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    await cli('--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes');
    await cluster.untilWhole();
    return cluster;
  });
}

interface NodeSpec {
  binary: string;
  password: string;
  folder: string;
  watchdog: Watchdog;
  port: number;
  /** Where the others talk to it. */
  bus: number;
}

async function makeNode({ binary, password, folder, watchdog, port, bus }: NodeSpec): Promise<Machine> {
  const home = join(folder, `${port}`);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const settings = {
    port,
    'cluster-enabled': 'yes',
    'cluster-port': bus,
    'cluster-node-timeout': NODE_TIMEOUT_MS,
    bind: '127.0.0.1',
    requirepass: password,
    masterauth: password,
    dir: home,
    save: '',
  };
  return createMachine(
    {
      name: `redis ${port}`,
      command: binary,
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]),
      cwd: home,
      stopSignal: 'SIGTERM',
      stopLimitMs: STOP_LIMIT_MS,
      logFile: join(home, 'redis.log'),
      pidFile: join(home, 'redis.pid'),
    },
    watchdog,
  );
}

// A replica that never had its master's data does not take over.
async function isWhole(port: number, ask: (port: number, ...command: string[]) => Promise<string>) {
  const [cluster, replication] = await Promise.all([
    ask(port, 'cluster', 'info').catch(() => ''),
    ask(port, 'info', 'replication').catch(() => ''),
  ]);
  return (
    cluster.includes('cluster_state:ok') &&
    /role:master[^]*slave0:.*state=online|master_link_status:up/.test(replication)
  );
}

function readMasters(nodes: string): Master[] {
  return nodes
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , flags]) => flags?.includes('master') && !flags.includes('fail'))
    .map(([id = '', address = '', , , , , , , ...slots]) => ({
      id,
      port: Number(address.split('@')[0]!.split(':')[1]),
      slots: slots
        .filter((range) => !range.startsWith('[')) // one that moves
        .map((range) => range.split('-').map(Number))
        .map(([first = 0, last = first]) => [first, last]),
    }));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const startedAt = monotonicMs();
  while (!(await isSo())) {
    if (monotonicMs() - startedAt > START_LIMIT_MS)
      throw new Error('Redis Cluster is not whole: a node, a slot or a replica is missing');
    await sleep(100);
  }
}
