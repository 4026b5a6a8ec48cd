// Redis with a replica and three sentinels that agree on who is the master, on loopback.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createClient } from 'redis';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { freePort } from '../servers/free-port.ts';
import type { Watchdog } from '../servers/watchdog.ts';
import { createMachine, killAll, startOrKill, type Machine } from './machine.ts';

/** The running servers. */
export interface RedisPair {
  /** For REDIS_URL. */
  url: string;
  /** By their ports: which one is the master is what changes. */
  servers: Map<number, Machine>;
  stop(): Promise<void>;
}

const NAME = 'postrider';
const DOWN_AFTER_MS = 2_000; // silence after which a sentinel takes a server for dead
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;

/** Starts them, empty, and waits until the replica could take over. */
export async function startRedisPair(
  binary: string,
  password: string,
  folder: string,
  watchdog: Watchdog,
): Promise<RedisPair> {
  const machines: Machine[] = [];
  const start = async (port: number, lines: string[], args: string[] = []): Promise<Machine> => {
    const home = join(folder, `${port}`);
    await mkdir(home, { recursive: true, mode: 0o700 });
    const config = join(home, 'redis.conf'); // sentinels write to theirs
    const text = ['bind 127.0.0.1', `port ${port}`, `dir "${home}"`, ...lines, ''].join('\n');
    await writeFile(config, text, { mode: 0o600 });
    const machine = createMachine(
      {
        name: `redis ${port}`,
        command: binary,
        args: [config, ...args],
        cwd: home,
        stopSignal: 'SIGTERM',
        stopLimitMs: STOP_LIMIT_MS,
        logFile: join(home, 'redis.log'),
        pidFile: join(home, 'redis.pid'),
      },
      watchdog,
    );
    machines.push(machine);
    await machine.start();
    return machine;
  };
  return startOrKill(machines, async () => {
    const login = [`requirepass ${password}`, `masterauth ${password}`, 'save ""', 'appendonly yes'];
    const [master, replica] = [await freePort(), await freePort()];
    const servers = new Map([
      [master, await start(master, login)],
      [replica, await start(replica, [...login, `replicaof 127.0.0.1 ${master}`])],
    ]);
    // Only every 10 s a sentinel asks the master for its replicas: the first time there should be one.
    await until(monotonicMs(), () => hasReplica(master, password));
    const watch = [
      `sentinel monitor ${NAME} 127.0.0.1 ${master} 2`,
      `sentinel auth-pass ${NAME} ${password}`,
      `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${NAME} 10000`,
      'protected-mode no',
    ];
    const ports = [await freePort(), await freePort(), await freePort()];
    await Promise.all(ports.map((port) => start(port, watch, ['--sentinel'])));
    await untilWhole(ports);
    return {
      url: `redis+sentinel://:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}`,
      servers,
      stop: () => killAll(machines),
    };
  });
}

// A master that dies before sentinels know each other and the replica has no successor; all that they know is from it.
async function untilWhole(sentinels: number[]): Promise<void> {
  const startedAt = monotonicMs();
  for (const port of sentinels) await until(startedAt, () => knowsAll(port));
}

async function until(startedAt: number, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    if (monotonicMs() - startedAt > START_LIMIT_MS)
      throw new Error('Redis has no replica yet, or a sentinel does not know all others');
    await sleep(100);
  }
}

async function hasReplica(port: number, password: string): Promise<boolean> {
  const told = await ask(port, ['INFO', 'replication'], password);
  return String(told).includes('state=online');
}

async function knowsAll(port: number): Promise<boolean> {
  const quorum = await ask(port, ['SENTINEL', 'CKQUORUM', NAME]);
  const replicas = await ask(port, ['SENTINEL', 'REPLICAS', NAME]);
  const [replica] = (replicas ?? []) as Record<string, string>[];
  return (
    String(quorum).startsWith('OK 3 ') &&
    replica?.['flags'] === 'slave' &&
    replica['master-link-status'] === 'ok'
  );
}

// What a server says, or null when it does not answer or refuses.
async function ask(port: number, command: string[], password?: string): Promise<unknown> {
  const client = createClient({
    ...(password !== undefined && { password }),
    socket: { host: '127.0.0.1', port, reconnectStrategy: false },
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await client.sendCommand(command);
  } catch {
    return null;
  } finally {
    client.destroy();
  }
}
