// One service process under test: `<name>/main.ts` with its own environment and ports, its log in a file.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sleep } from '../../core/base/clock.ts';
import { NODE_FLAGS } from '../../core/base/lifecycle.ts';
import { METRICS_OFFSET } from '../../core/base/metrics-ports.ts';
import { freePort } from '../../local/servers/free-port.ts';
import type { Watchdog } from '../../local/servers/watchdog.ts';

/** A running service. */
export interface Service {
  name: string;
  pid: number;
  metricsUrl: string;
  /** Milliseconds from its start until it was ready. */
  readyMs: number;
  /** SIGTERM, so that it finishes and writes its profile; by force past the limit. */
  stop(): Promise<void>;
  /** At once. */
  kill(): Promise<void>;
}

/** How to start it. */
export interface ServiceOptions {
  env: Record<string, string>;
  logFile: string;
  /** Folder for its CPU profile. */
  profileFolder?: string | undefined;
  watchdog: Watchdog;
  /** Starts what `npm run bundle` made. */
  bundled?: boolean | undefined;
}

const ROOT = join(import.meta.dirname, '../..');
const START_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 10;
const STOP_LIMIT_MS = 30_000;

/** Starts it and waits until it says that it is ready. */
export async function startService(
  name: keyof typeof METRICS_OFFSET,
  options: ServiceOptions,
): Promise<Service> {
  const metricsPort = await freePort();
  const profiling =
    options.profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileFolder}`];
  const main = options.bundled ? `dist/${name}.mjs` : `${name}/main.ts`;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...NODE_FLAGS, ...profiling, join(ROOT, main)], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...options.env,
      METRICS_PORT: `${metricsPort - METRICS_OFFSET[name]}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(options.logFile, { flags: 'a' });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const pid = child.pid ?? 0;
  options.watchdog.add(pid, 'SIGTERM');
  const exited = once(child, 'exit').then(() => options.watchdog.remove(pid));
  const service = {
    name,
    pid,
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    stop: () => end(child, 'SIGTERM', exited),
    kill: () => end(child, 'SIGKILL', exited),
  };
  await untilReady(service, child, options.logFile);
  return { ...service, readyMs: performance.now() - startedAt };
}

/** Memory of a process in MB: resident, without what other processes share with it. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

async function untilReady(
  service: Pick<Service, 'name' | 'metricsUrl'>,
  child: ChildProcess,
  logFile: string,
): Promise<void> {
  const limit = performance.now() + START_LIMIT_MS;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > limit) {
      child.kill('SIGKILL');
      const output = await readFile(logFile, 'utf8').catch(() => '');
      throw new Error(`${service.name} did not become ready:\n${output.slice(-2_000)}`);
    }
    const answer = await fetch(`${service.metricsUrl}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(LOOK_EVERY_MS);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(force);
}
