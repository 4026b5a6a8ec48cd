// CPU time by process. Unlike rates it hardly depends on what else the machine does, so it says what a message costs
// and who pays for it.

import { readFile } from 'node:fs/promises';

import type { Bench } from './bench.ts';
import { afterName, readTree } from './process-tree.ts';
import type { Stack } from './stack.ts';

/** Seconds of CPU so far, by name. */
export type CpuTimes = Record<string, number>;

const TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux that Node runs on

/** What the processes of a stack used so far. `load` are the bench's own children that have ended (k6). */
export async function readCpuTimes(bench: Bench, stack: Stack): Promise<CpuTimes> {
  const servers = bench.servers.pids();
  const sum = async (pids: number[]) => {
    const all = await Promise.all(pids.map(readStat));
    return all.reduce((total, one) => total + one.own, 0);
  };
  return {
    api: await sum(stack.api ? [stack.api.pid] : []),
    sender: await sum(stack.senders.map((one) => one.pid)),
    inbound: await sum(stack.inbound ? [stack.inbound.pid] : []),
    postgres: await postgresTime(bench),
    redis: await sum([servers['redis'] ?? 0]),
    nats: await sum([servers['nats'] ?? 0]),
    sink: await sum([stack.sink.pid]),
    load: (await readStat(process.pid)).ended,
  };
}

/** Seconds of CPU that some processes, and those of their children that ended, used so far. */
export async function cpuSeconds(pids: number[]): Promise<number> {
  const all = await Promise.all(pids.map(readStat));
  return all.reduce((sum, { own, ended }) => sum + own + ended, 0);
}

/** Seconds of CPU that PostgreSQL used so far, with the sessions that have ended. */
export function postgresTime(bench: Bench): Promise<number> {
  return treeTime(bench.servers.pids()['postgres'] ?? 0);
}

/** What inbound and the stores used so far, with the processes below them. */
export async function readInboundTimes(bench: Bench, inbound: number): Promise<CpuTimes> {
  const { postgres = 0, redis = 0, nats = 0 } = bench.servers.pids();
  const entries = Object.entries({ inbound, postgres, redis, nats });
  return Object.fromEntries(
    await Promise.all(entries.map(async ([name, pid]) => [name, await treeTime(pid)] as const)),
  );
}

/** What each message cost between two readings, in milliseconds: `api 0.41, sender 0.62, …`, dearest first. */
export function costPerMessage(
  before: CpuTimes,
  after: CpuTimes,
  messages: number,
): { ms: number; text: string; parts: CpuTimes } {
  const costs = Object.entries(after).map(([name, seconds]) => {
    return { name, ms: ((seconds - (before[name] ?? 0)) * 1000) / Math.max(1, messages) };
  });
  const text = costs
    .filter(({ ms }) => ms >= 0.005)
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ name, ms }) => `${name} ${ms.toFixed(2)}`)
    .join(', ');
  const parts = Object.fromEntries(costs.map(({ name, ms }) => [name, ms]));
  return { ms: costs.reduce((sum, { ms }) => sum + ms, 0), text, parts };
}

interface Stat {
  own: number;
  /** Of children that have ended and were waited for. */
  ended: number;
}

// PostgreSQL has a process for each connection; those that ended are in their parent's account.
async function treeTime(root: number): Promise<number> {
  return cpuSeconds(await readTree(root));
}

async function readStat(pid: number): Promise<Stat> {
  const fields = afterName(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).map(Number);
  const ticks = (from: number) => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) / TICKS_PER_SECOND;
  return { own: ticks(11), ended: ticks(13) };
}
