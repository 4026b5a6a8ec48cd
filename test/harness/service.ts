// Real service processes for flow tests: started with their own environment, killed as tests please, and gone when the
// test file ends.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { NODE_FLAGS } from '../../core/base/lifecycle.ts';
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
const END_WITH_PARENT = new URL('end-with-parent.ts', import.meta.url).href;
const START_LIMIT_MS = 60_000; // on a busy machine; a second otherwise
const LAST_LINES = 20;

/** The service processes that one test file started. */
class Started {
  private readonly all: { service: Service; name: string; child: ChildProcess }[] = [];

  add(service: Service, name: string, child: ChildProcess): void {
    this.all.push({ service, name, child });
  }

  /** The last lines that each of them wrote: what a failed test needs to be understood. */
  lastLines(): string {
    return this.all
      .map(({ service, name }) => {
        const lines = service.output().trimEnd().split('\n').slice(-LAST_LINES).join('\n');
        return `── ${name} ${service.pid}\n${lines}`;
      })
      .join('\n');
  }

  kill(): void {
    for (const { child } of this.all) child.kill('SIGKILL');
  }
}

/** What services run: those of `npm run bundle`, as the image does. They start in half the time of the sources. */
const mainOf = (name: string) => join(ROOT, 'dist', `${name}.mjs`);

/** The settings that say where a service listens, by the name that it gives to the port. */
const PORTS = {
  api: {
    https: 'API_HTTPS_PORT',
    http: 'API_HTTP_PORT',
    submission: 'SUBMISSION_PORT',
    submissions: 'SUBMISSIONS_PORT',
  },
  sender: { grpc: 'SENDER_GRPC_PORT' },
  inbound: { smtp: 'INBOUND_SMTP_PORT' },
  scheduler: {},
} as const;

type ServiceName = keyof typeof PORTS;

let started = new Started();
const lasting = new Started();

/** Begins a test file in this process. Returns what it starts from now on, and what all files here share. */
export function beginFile(): { started: Started; lasting: Started } {
  started = new Started();
  return { started, lasting };
}

/** How a service is started. */
export interface StartOptions {
  /** How far it is when the test goes on: its process is there, it listens, or /readyz says yes. */
  until?: 'started' | 'listening' | 'ready';
  /** It is for all test files in this process, and ends with it. */
  lasts?: boolean;
}

/**
 * Starts a service. It listens where `env` says; the kernel chooses a port that is 0 or left out, and `service.env` has
 * the choice from when it listens.
 */
export async function startService(
  name: ServiceName,
  env: Record<string, string>,
  { until = 'ready', lasts = false }: StartOptions = {},
): Promise<Service> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env; // the cache halves the time that a service takes to start
  const full = { PATH, NODE_COMPILE_CACHE, ...anyPorts(name), ...env, METRICS_PORT: '0' };
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, ...NODE_FLAGS, mainOf(name)], {
    env: full,
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code));
  const service: Service = {
    pid: child.pid!,
    env: full,
    metricsUrl: '',
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
  (lasts ? lasting : started).add(service, name, child);
  if (until !== 'started') await untilListening(name, service, child);
  if (until === 'ready') await untilReady(name, service);
  return service;
}

/** So many of a service: the first on the ports of `env`, the others on free ones. */
export function startCopies(
  name: ServiceName,
  count: number,
  env: Record<string, string>,
  options: StartOptions = {},
): Promise<Service[]> {
  return Promise.all(
    Array.from({ length: count }, (_, i) =>
      startService(name, { ...env, ...(i > 0 && anyPorts(name)) }, options),
    ),
  );
}

function anyPorts(name: ServiceName): Record<string, string> {
  return Object.fromEntries(Object.values(PORTS[name]).map((setting) => [setting, '0']));
}

async function untilListening(name: ServiceName, service: Service, child: ChildProcess): Promise<void> {
  const message = await Promise.race([once(child, 'message'), service.ended]);
  if (typeof message === 'string')
    throw new Error(`${name} did not start (${message}):\n${service.output()}`);
  const [{ ports }] = message as [{ ports: Record<string, number> }];
  for (const [port, setting] of Object.entries(PORTS[name])) service.env[setting] = String(ports[port]);
  service.metricsUrl = `http://${service.env['BIND_ADDRESS'] ?? '127.0.0.1'}:${ports['metrics']}`;
}

async function untilReady(name: ServiceName, service: Service): Promise<void> {
  let said = '';
  let ended: string | null = null;
  void service.ended.then((how) => (ended = how));
  await waitUntil(
    async () => {
      if (ended !== null) throw new Error(`${name} did not start (${ended}):\n${service.output()}`);
      const answer = await fetch(`${service.metricsUrl}/readyz`).catch((error: Error) => error);
      if ('ok' in answer && answer.ok) return true;
      said = 'ok' in answer ? `${answer.status} ${await answer.text()}` : String(answer.cause);
      return false;
    },
    { limitMs: START_LIMIT_MS, what: () => `${name} to be ready (${said}):\n${service.output()}` },
  );
}
