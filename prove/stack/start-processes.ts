// The processes of ours in a run: two of each role, each with its own ports and clock.

import { join } from 'node:path';

import { METRICS_OFFSET } from '../../core/base/metrics-ports.ts';
import { forgetDeadProcesses, makeProcessClock, type ProcessClock } from '../../local/clock/process-clock.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { sendSignal } from '../../local/servers/pid-file.ts';
import type { Supervised } from '../../local/servers/supervise.ts';
import { serviceEnvironment } from '../../local/start/environment.ts';
import type { Ports } from '../../local/start/ports.ts';
import { startService, type ProcessDeps } from '../../local/start/processes.ts';
import type { Secrets } from '../../local/start/secrets.ts';
import type { TlsFiles } from '../../local/tls.ts';
import { SYSTEM_MAIL_FROM } from '../load/world.ts';
import type { Outside } from '../outside.ts';
import { PROCESS_NAMES, ROLES } from './process-names.ts';
import type { Role, StackProcess } from './stack.ts';

/** What the processes are started with. */
export interface ProcessesInput {
  deps: ProcessDeps;
  outside: Pick<Outside, 'smtpPort' | 'dnsAddress'>;
  secrets: Secrets;
  tls: TlsFiles;
  /** As our processes reach them. */
  urls: { databaseUrl: string; redisUrl: string; natsUrl: string };
  /** Null where clocks cannot be moved. */
  libfaketime: string | null;
  /** How far the clocks are ahead of this machine's at first. */
  aheadSeconds: number;
}

/** The running processes. */
export interface Processes {
  list: StackProcess[];
  portsOf(role: Role): Ports[];
  /** Sets all clocks ahead of this machine's, with what each is off besides. */
  setClocks(aheadSeconds: number): Promise<void>;
  stop(): Promise<void>;
}

interface Planned {
  name: string;
  role: Role;
  ports: Ports;
  clock: ProcessClock | null;
}

const ANSWER_LIMIT_MS = 1_000;

/** Starts all of them and waits until they are ready. */
export async function startProcesses(input: ProcessesInput): Promise<Processes> {
  const planned: Planned[] = [];
  for (const { name, role } of PROCESS_NAMES) planned.push(await plan(input, name, role));
  const senders = planned
    .filter(({ role }) => role === 'sender')
    .map(({ ports }) => `127.0.0.1:${ports.grpc}`);
  const clocks = { ahead: input.aheadSeconds, off: new Map<string, number>() };
  const setClock = async ({ name, clock }: Planned) =>
    clock?.set(clocks.ahead + Math.round((clocks.off.get(name) ?? 0) / 1000));
  const running = new Map<string, Supervised>();
  const pids = new Map<string, number>();
  const stop = async () => {
    for (const role of ROLES) {
      const copies = planned.filter((one) => one.role === role);
      await Promise.all(copies.map(async ({ name }) => running.get(name)?.stop()));
    }
    await forgetDeadProcesses();
  };
  const start = async (one: Planned) => {
    const { name, role, ports, clock } = one;
    await setClock(one);
    const env = environment(input, name, ports, senders.join(','), clock);
    const onStart = (pid: number) => {
      pids.set(name, pid);
      void forgetDeadProcesses();
    };
    running.set(name, await startService(input.deps, role, env, onStart, name));
  };
  try {
    // A scheduler and an api are ready when a sender is. Not all at once: on two cores each would take the time of all.
    for (const wave of [ROLES.slice(2), ROLES.slice(0, 2)])
      await Promise.all(planned.filter((one) => wave.includes(one.role)).map(start));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    list: planned.map((one) => ({
      role: one.role,
      name: one.name,
      pid: () => pids.get(one.name)!,
      kill: () => sendSignal(pids.get(one.name)!, 'SIGKILL'),
      freeze: () => sendSignal(pids.get(one.name)!, 'SIGSTOP'),
      thaw: () => sendSignal(pids.get(one.name)!, 'SIGCONT'),
      isReady: () => isReady(one),
      setClockOff: async (ms) => {
        clocks.off.set(one.name, ms);
        await setClock(one);
      },
    })),
    portsOf: (role) => planned.filter((one) => one.role === role).map(({ ports }) => ports),
    setClocks: async (aheadSeconds) => {
      clocks.ahead = aheadSeconds;
      await Promise.all(planned.map(setClock));
    },
    stop,
  };
}

async function plan({ deps, libfaketime }: ProcessesInput, name: string, role: Role): Promise<Planned> {
  const ports: Ports = {
    apiHttps: await freePort(),
    apiHttp: await freePort(),
    grpc: await freePort(),
    inboundSmtp: await freePort(),
    submission: await freePort(),
    submissions: await freePort(),
    metrics: (await freePort()) - METRICS_OFFSET[role],
    simulatorSmtp: 0,
    simulatorDns: 0,
    simulatorHttp: 0,
  };
  const clock =
    libfaketime === null ? null : await makeProcessClock(join(deps.folder, 'clocks'), name, libfaketime);
  return { name, role, ports, clock };
}

function environment(
  { deps, outside, secrets, tls, urls }: ProcessesInput,
  name: string,
  ports: Ports,
  senders: string,
  clock: ProcessClock | null,
): Record<string, string> {
  const own = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: join(deps.root, '.local', 'compile-cache'), // a run has a folder of its own, and starts slower
    ...clock?.env,
    SENDER_ADDRESSES: senders,
    OUTBOUND_HOSTNAME: name, // what the sink hears, and the target of its faults
    DNS_SERVERS: outside.dnsAddress,
    OUTBOUND_SMTP_PORT: `${outside.smtpPort}`,
    SYSTEM_MAIL_FROM,
    INBOUND_RETENTION_DAYS: '60', // longer than the run, which reads its mail at the end
  };
  return serviceEnvironment({ own, ports, secrets, tls, ...urls });
}

async function isReady({ role, ports }: Planned): Promise<boolean> {
  const url = `http://127.0.0.1:${ports.metrics + METRICS_OFFSET[role]}/readyz`;
  return (await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).catch(() => null))?.ok ?? false;
}
