// Three NATS servers as one cluster, on loopback: each JetStream stream is on all three.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '../servers/free-port.ts';
import type { Watchdog } from '../servers/watchdog.ts';
import { createMachine, killAll, startOrKill, type Machine } from './machine.ts';

/** The running cluster. */
export interface NatsCluster {
  /** For NATS_URL. */
  url: string;
  machines: Machine[];
  /** All of them die, and come back without what they had. */
  eraseAll(): Promise<void>;
  stop(): Promise<void>;
}

const STOP_LIMIT_MS = 5_000;
const NAMES = ['one', 'two', 'three'];

/** Starts them, empty. */
export async function startNatsCluster(
  binary: string,
  folder: string,
  watchdog: Watchdog,
): Promise<NatsCluster> {
  const nodes: { name: string; port: number; route: number }[] = [];
  for (const name of NAMES) nodes.push({ name, port: await freePort(), route: await freePort() });
  const routes = nodes.map(({ route }) => `nats://127.0.0.1:${route}`).join(',');
  const machines = nodes.map(({ name, port, route }) => {
    const home = join(folder, name);
    return createMachine(
      {
        name: `nats ${name}`,
        command: binary,
        args: [
          ...['-n', name, '-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', home],
          ...['--cluster_name', 'postrider', '--cluster', `nats://127.0.0.1:${route}`, '--routes', routes],
        ],
        cwd: home,
        stopSignal: 'SIGTERM',
        stopLimitMs: STOP_LIMIT_MS,
        logFile: join(home, 'nats.log'),
        pidFile: join(home, 'nats.pid'),
      },
      watchdog,
    );
  });
  for (const { name } of nodes) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  const startAll = () => Promise.all(machines.map((machine) => machine.start()));
  await startOrKill(machines, startAll);
  return {
    url: nodes.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
    machines,
    eraseAll: async () => {
      await killAll(machines);
      for (const { name } of nodes)
        await rm(join(folder, name, 'jetstream'), { recursive: true, force: true });
      await startAll();
    },
    stop: () => killAll(machines),
  };
}
