// Processor time of this thread. On a busy machine the wall clock would count other programs too.

import { readdirSync, readFileSync } from 'node:fs';

import { sleep } from '../../core/base/clock.ts';
import { processCpuMs } from '../../core/base/process-cpu.ts';

const PROBE_MS = 5;

/** Begins to count: the milliseconds of processor time of this thread since now. */
export function countThreadMs(): () => number {
  const before = process.threadCpuUsage();
  return () => since(before);
}

/** The milliseconds of processor time that `work` takes, whether it answers or throws. */
export function threadMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  try {
    work();
  } catch {
    // refused: that is an answer too, when it comes soon
  }
  return since(before);
}

/** The same for work that is waited for. What else this thread does meanwhile counts too. */
export async function threadMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  try {
    await work();
  } catch {
    // refused: that is an answer too, when it comes soon
  }
  return since(before);
}

/** Begins to count: the milliseconds of processor time that those children of this process took since now which still run. */
export function countChildrenMs(): () => number {
  const before = childrenMs();
  return () => [...childrenMs()].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

function childrenMs(): Map<string, number> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(pids.filter(isChild).map((pid) => [pid, processCpuMs(Number(pid)) ?? 0]));
}

function isChild(pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === process.pid;
  } catch {
    return false; // it ended meanwhile
  }
}

/**
 * Watches for the longest time that the event loop is held, in milliseconds of processor time, until `stop` gives it
 * back. Between two looks lie at most a timer and one callback.
 */
export function watchEventLoop(): { stop: () => Promise<number> } {
  let longest = 0;
  let running = true;
  const watching = (async () => {
    await sleep(PROBE_MS);
    for (let before = process.threadCpuUsage(); running; before = process.threadCpuUsage()) {
      await sleep(PROBE_MS);
      longest = Math.max(longest, since(before));
    }
  })();
  return {
    stop: async () => {
      running = false;
      await watching;
      return longest;
    },
  };
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
