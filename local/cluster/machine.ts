// What stands for a machine on this one: a process with all that it started, which dies, freezes and comes back as one.

import { readdir } from 'node:fs/promises';

import { livePid, parentOf, sendSignal, workingFolder } from '../servers/pid-file.ts';
import { lastLines, supervise, type ProcessSpec, type Supervised } from '../servers/supervise.ts';
import type { Watchdog } from '../servers/watchdog.ts';

/** A machine that can be broken. */
export interface Machine {
  name: string;
  start(): Promise<void>;
  /** As a power cut: everything on it is gone at once. */
  kill(): Promise<void>;
  /** Nothing on it runs until `thaw`; connections stay open and silent. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  isRunning(): Promise<boolean>;
  /** The end of its log, for the reader of an error. */
  lastLines(): Promise<string>;
}

/**
 * A machine that runs one program. What left the program's tree, as a PostgreSQL under Patroni does, belongs to it when it
 * works in `folder`: it is found by that and not by postmaster.pid, which outlives a kill and then names a stranger.
 */
export function createMachine(spec: ProcessSpec, watchdog: Watchdog, folder?: string): Machine {
  let main: Supervised | null = null;
  if (folder !== undefined) watchdog.addFolder(folder);
  const signal = async (name: NodeJS.Signals) => {
    for (const pid of await everything(spec.pidFile, folder)) sendSignal(pid, name);
  };
  return {
    name: spec.name,
    async start() {
      main = await supervise(spec, { watchdog, log: () => {} }); // never `ready`: it stays dead when it is killed
    },
    async kill() {
      await signal('SIGKILL');
      await main?.stop();
      main = null;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    isRunning: async () => (await livePid(spec.pidFile)) !== undefined,
    lastLines: () => lastLines(spec.logFile),
  };
}

/** Runs `start`; when it fails, the machines are killed before the error goes on. */
export async function startOrKill<T>(machines: Machine[], start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await killAll(machines);
    throw error;
  }
}

/** Kills all of them at once. */
export async function killAll(machines: Machine[]): Promise<void> {
  await Promise.all(machines.map((machine) => machine.kill()));
}

async function everything(pidFile: string, folder: string | undefined): Promise<number[]> {
  const main = await livePid(pidFile);
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const tree = new Set(main === undefined ? [] : [main]);
  if (folder !== undefined) for (const pid of all) if ((await workingFolder(pid)) === folder) tree.add(pid);
  for (let before = 0; before < tree.size;) {
    before = tree.size;
    for (const pid of all) if (tree.has(parentOf(pid) ?? 0)) tree.add(pid);
  }
  return [...tree];
}
