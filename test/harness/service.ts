// Real service processes for flow tests: started with their own environment, killed as tests please, and gone when the
// test file ends.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { NODE_FLAGS } from '../../core/base/lifecycle.ts';
import { METRICS_OFFSET } from '../../core/base/metrics-ports.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { waitUntil } from './wait.ts';

/** One running service process. */
export interface Service {
  pid: number;
  /** Settings that it was started with, ports included. */
  env: Record<string, string>;
  metricsUrl: string;
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop (SIGTERM) and waits; rejects when it did not exit 0. */
  stop(): Promise<void>;
  /** Resolves with the signal or code with which it ended. */
  ended: Promise<string>;
  /** What it wrote so far. */
  output(): string;
}

const ROOT = join(import.meta.dirname, '../..');
const START_LIMIT_MS = 60_000; // on a busy machine; a few seconds otherwise

const running = new Set<ChildProcess>();
const written: { name: string; output(): string }[] = [];
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** From now on this test file starts what `npm run bundle` made, as the image does. */
export function useBundle(): void {
  mainOf = (name) => join(ROOT, 'dist', `${name}.mjs`);
}
let mainOf = (name: string) => join(ROOT, name, 'main.ts');

const LAST_LINES = 20;

/** The last lines that each service of this test file wrote: what a failed test needs to be understood. */
export function lastLines(): string {
  return written
    .map(({ name, output }) => `── ${name}\n${output().trimEnd().split('\n').slice(-LAST_LINES).join('\n')}`)
    .join('\n');
}

const PORTS = {
  api: ['API_HTTPS_PORT', 'API_HTTP_PORT', 'SUBMISSION_PORT', 'SUBMISSIONS_PORT'],
  sender: ['SENDER_GRPC_PORT'],
  inbound: ['INBOUND_SMTP_PORT'],
  scheduler: [],
};

/** Starts a service and waits until /readyz says yes (unless `ready` is false). */
export async function startService(
  name: keyof typeof PORTS,
  env: Record<string, string>,
  options: { ready?: boolean } = {},
): Promise<Service> {
  const metricsPort = await freePort();
  const ports = {
    METRICS_PORT: String(metricsPort - METRICS_OFFSET[name]),
    ...Object.fromEntries(
      await Promise.all(PORTS[name].map(async (setting) => [setting, await port(env, setting)] as const)),
    ),
  };
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env; // the cache halves the time that a service takes to start
  const full = { PATH, NODE_COMPILE_CACHE, ...env, ...ports };
  const child = spawn(process.execPath, [...NODE_FLAGS, mainOf(name)], {
    env: full,
    cwd: ROOT,
  });
  running.add(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit').then(([code, signal]) => {
    running.delete(child);
    return String(signal ?? code);
  });
  const service: Service = {
    pid: child.pid!,
    env: full,
    metricsUrl: `http://${env['BIND_ADDRESS'] ?? '127.0.0.1'}:${metricsPort}`,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const how = await ended;
      if (how !== '0') throw new Error(`${name} ended with ${how}:\n${output}`);
    },
    ended,
    output: () => output,
  };
  written.push({ name: `${name} ${child.pid}`, output: service.output });
  if (options.ready !== false) await untilReady(name, service, child);
  return service;
}

/** So many of a service: the first on the ports of `env`, the others on free ones. */
export function startCopies(
  name: keyof typeof PORTS,
  count: number,
  env: Record<string, string>,
): Promise<Service[]> {
  const anyPorts = Object.fromEntries(PORTS[name].map((setting) => [setting, '0']));
  return Promise.all(
    Array.from({ length: count }, (_, i) => startService(name, { ...env, ...(i > 0 && anyPorts) })),
  );
}

async function untilReady(name: string, service: Service, child: ChildProcess): Promise<void> {
  let said = '';
  await waitUntil(
    async () => {
      const answer = await fetch(`${service.metricsUrl}/readyz`).catch((error: Error) => error);
      if ('ok' in answer && answer.ok) return true;
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`${name} did not start:\n${service.output()}`);
      }
      said = 'ok' in answer ? `${answer.status} ${await answer.text()}` : String(answer.cause);
      return false;
    },
    { limitMs: START_LIMIT_MS, what: () => `${name} to be ready (${said}):\n${service.output()}` },
  );
}

// A port that the caller chose is kept, so that a service can be started again where it was.
async function port(env: Record<string, string>, name: string): Promise<string> {
  const given = env[name];
  return given === undefined || given === '0' ? String(await freePort()) : given;
}
