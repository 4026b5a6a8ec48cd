// The processes of `npm start`: the simulator and the four services, each kept running, each with its own log file.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { NODE_FLAGS } from '../../core/base/lifecycle.ts';
import { METRICS_OFFSET } from '../../core/base/metrics-ports.ts';
import type { LogLine } from '../servers/install.ts';
import { startAndWait } from '../servers/private-server.ts';
import type { ProcessSpec, Supervised } from '../servers/supervise.ts';
import type { Watchdog } from '../servers/watchdog.ts';
import type { TlsFiles } from '../tls.ts';
import type { Ports } from './ports.ts';

/** Where processes run, and their watchdog and log. */
export interface ProcessDeps {
  /** The checkout. */
  root: string;
  /** Its `.local`. */
  folder: string;
  watchdog: Watchdog;
  log: LogLine;
  /** Once aborted, what is not ready is stopped. */
  signal?: AbortSignal;
}

/** The services in the order in which they stop: those that accept new work first. */
export const SERVICES = ['api', 'inbound', 'sender', 'scheduler'] as const;

/** One of the four. */
export type ServiceName = (typeof SERVICES)[number];

const SERVICE_STOP_MS = 4_000; // what is in flight is finished or left to the next start
const SIMULATOR_STOP_MS = 1_000;
const ANSWER_MS = 2_000; // of one question whether a process is ready

/** Starts the simulator on the chosen ports. */
export async function startSimulatorProcess(
  deps: ProcessDeps,
  ports: Ports,
  tls: TlsFiles,
): Promise<Supervised> {
  const args = [
    ...['--smtp-port', `${ports.simulatorSmtp}`, '--dns-port', `${ports.simulatorDns}`],
    ...['--http-port', `${ports.simulatorHttp}`, '--inbound', `127.0.0.1:${ports.inboundSmtp}`],
    ...['--tls-key', tls.keyFile, '--tls-cert', tls.certFile, '--zone-file', join(deps.folder, 'zone.json')],
  ];
  const spec = await processSpec(deps, 'simulator', 'local/simulator/main.ts', args);
  return startAndWait({ ...spec, stopLimitMs: SIMULATOR_STOP_MS }, deps, () =>
    isOk(`http://127.0.0.1:${ports.simulatorHttp}/healthz`),
  );
}

/**
 * Starts one service and waits until it is ready. `onStart` is called with every new pid. `copy` tells several of one
 * service apart, in the names of their files too.
 */
export async function startService(
  deps: ProcessDeps,
  name: ServiceName,
  env: Record<string, string>,
  onStart: (pid: number) => void,
  copy: string = name,
): Promise<Supervised> {
  const spec = await processSpec(deps, copy, `${name}/main.ts`, []);
  const metricsPort = Number(env['METRICS_PORT']) + METRICS_OFFSET[name];
  const ownEnv = { NODE_COMPILE_CACHE: join(deps.folder, 'compile-cache'), ...env }; // core/base/lifecycle.ts
  return startAndWait({ ...spec, env: ownEnv, stopLimitMs: SERVICE_STOP_MS }, { ...deps, onStart }, () =>
    isOk(`http://127.0.0.1:${metricsPort}/readyz`),
  );
}

async function processSpec(
  deps: ProcessDeps,
  name: string,
  entry: string,
  args: string[],
): Promise<ProcessSpec> {
  await mkdir(join(deps.folder, 'log'), { recursive: true, mode: 0o700 });
  return {
    name,
    command: process.execPath,
    args: [...NODE_FLAGS, join(deps.root, entry), ...args],
    cwd: deps.root,
    stopSignal: 'SIGTERM',
    stopLimitMs: SERVICE_STOP_MS,
    logFile: join(deps.folder, 'log', `${name}.log`),
    pidFile: join(deps.folder, `${name}.pid`),
  };
}

async function isOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })).ok;
}
