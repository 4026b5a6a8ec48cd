// How each kind of fault is made, and healed.

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import type { Stack, StackProcess, StoreName, StoreProcess } from '../stack/stack.ts';
import type { PlannedFault } from './fault-kinds.ts';

/** What a fault came to. */
export type Made =
  /** It is there; `heal` ends it. `pid` is the process that it met, when it met one. */
  | { made: true; pid: number | null; detail: string | null; heal: () => Promise<void> | void }
  /** This machine cannot make it. */
  | { made: false; why: string };

const OFF_MS = 600_000; // ten minutes, in either direction
const LOOK_EVERY_MS = 250;
const DELAY_MS = 150;
const JITTER_MS = 100;

/** Makes a fault. */
export async function makeFault(stack: Stack, { kind, target, id }: PlannedFault): Promise<Made> {
  const { postgres, redis, nats } = stack.stores;
  const processes = processesOf(stack, target);
  switch (kind) {
    case 'kill':
      return atOnce(processes, () => processes.forEach((one) => one.kill()));
    case 'freeze':
    case 'freeze-role':
      return freeze(processes);
    case 'clock-off':
      return clockOff(stack, processes, Number(id.slice(1)) % 2 === 0 ? OFF_MS : -OFF_MS);
    case 'postgres-crash':
      return atOnce([postgres], () => postgres.kill());
    case 'redis-kill':
      return atOnce([redis], () => redis.kill());
    case 'redis-flush':
      return atOnce([redis], () => redis.flush());
    case 'redis-restore':
      return atOnce([redis], () => redis.restore());
    case 'nats-erase':
      return atOnce([nats], () => nats.erase());
    case 'postgres-freeze':
      return freeze([postgres]);
    case 'redis-freeze':
      return freeze([redis]);
    case 'nats-freeze':
      return freeze([nats]);
    case 'postgres-read-only':
      return switched(postgres.setReadOnly);
    case 'postgres-disk-full': {
      const { setDiskFull } = postgres;
      if (setDiskFull === null)
        return { made: false, why: 'this machine forbids mounts in a user namespace' };
      return switched(setDiskFull);
    }
    case 'postgres-no-connections':
      return healedBy(await postgres.takeConnections());
    case 'postgres-lock':
      return healedBy(await postgres.lockTable(target));
    case 'packets-dropped':
    case 'packets-delayed':
    case 'connections-reset':
      return breakWire(stack, kind, target as StoreName);
    default:
      return kind satisfies never;
  }
}

/** Whether everything that a fault met works again. */
export async function isRecovered(stack: Stack): Promise<boolean> {
  const stores = Object.values(stack.stores).map((store: StoreProcess) => store.isUp().catch(() => false));
  const processes = stack.processes.map((one) => one.isReady());
  return (await Promise.all([...stores, ...processes])).every(Boolean);
}

function processesOf({ processes }: Stack, target: string): StackProcess[] {
  return processes.filter(({ name, role }) => name === target || role === target);
}

type Target = Pick<StoreProcess, 'pid' | 'freeze' | 'thaw'>;

async function atOnce(targets: Target[], make: () => Promise<void> | void): Promise<Made> {
  const met = pidsOf(targets);
  await make();
  return { made: true, ...met, heal: () => {} };
}

function freeze(targets: Target[]): Made {
  targets.forEach((one) => one.freeze());
  return { made: true, ...pidsOf(targets), heal: () => targets.forEach((one) => one.thaw()) };
}

async function clockOff(stack: Stack, processes: StackProcess[], ms: number): Promise<Made> {
  if (stack.calendar === null) return { made: false, why: 'libfaketime is not installed' };
  const set = (off: number) => Promise.all(processes.map((one) => one.setClockOff(off)));
  await set(ms);
  return {
    made: true,
    pid: processes[0]?.pid() ?? null,
    detail: `${ms / 60_000} min`,
    heal: async () => void (await set(0)),
  };
}

async function breakWire(
  { wires }: Stack,
  kind: 'packets-dropped' | 'packets-delayed' | 'connections-reset',
  target: StoreName,
): Promise<Made> {
  if (wires === null) return { made: false, why: 'there is no toxiproxy, and no Go to build it' };
  const wire = wires[target];
  switch (kind) {
    case 'packets-dropped':
      await wire.drop();
      return healedBy(wire.mend);
    case 'packets-delayed':
      await wire.delay(DELAY_MS, JITTER_MS);
      return { ...healedBy(wire.mend), detail: `${DELAY_MS} ± ${JITTER_MS} ms` };
    case 'connections-reset':
      return atOnce([], wire.reset);
    default:
      return kind satisfies never;
  }
}

async function switched(set: (on: boolean) => Promise<void>): Promise<Made> {
  try {
    await set(true);
  } catch (error) {
    await set(false);
    throw error;
  }
  return healedBy(() => set(false));
}

function healedBy(heal: () => Promise<void> | void): Made & { made: true } {
  return { made: true, pid: null, detail: null, heal };
}

function pidsOf(targets: Target[]): { pid: number | null; detail: string | null } {
  const pids = targets.map((one) => one.pid());
  return { pid: pids[0] ?? null, detail: pids.length > 1 ? `pids ${pids.join(', ')}` : null };
}

/** Waits until everything works again; false when it does not within the limit, or before the signal. */
export async function untilRecovered(stack: Stack, limitMs: number, signal?: AbortSignal): Promise<boolean> {
  for (const startedAt = monotonicMs(); monotonicMs() - startedAt < limitMs && !signal?.aborted;) {
    if (await isRecovered(stack)) return true;
    await sleep(LOOK_EVERY_MS, signal);
  }
  return false;
}
