// Which process is meant by a pid that was written down earlier: pids are used again, so the start time that the
// kernel gives (field 22 of /proc/PID/stat, proc(5)) is kept beside it. Without /proc the pid alone must do.

import { existsSync, readFileSync } from 'node:fs';
import { readFile, readlink, rm, writeFile } from 'node:fs/promises';

import { monotonicMs, sleep } from '../../core/base/clock.ts';

const PARENT_FIELD = 1; // counted from the state, which is field 3 of proc(5)
const START_TIME_FIELD = 19;

/** Writes down a process so that a later run can find it. */
export async function writePidFile(file: string, pid: number): Promise<void> {
  await writeFile(file, `${pid} ${(await startTime(pid)) ?? ''}\n`, { mode: 0o600 });
}

/** The pid in a file, when the very process that was written down still runs. */
export async function livePid(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [pid, started] = text.trim().split(' ');
  if (!pid || !isAlive(Number(pid))) return undefined;
  return started && started !== (await startTime(Number(pid))) ? undefined : Number(pid);
}

/** Whether a process runs. A zombie, which only waits for its parent to look, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return !existsSync('/proc/self/stat'); // gone in between, or a system without /proc
  }
}

/** Stops what an earlier run left running, waiting for a watchdog that is stopping it already; deletes the file. */
export async function endLeftover(file: string, signal: NodeJS.Signals, limitMs: number): Promise<void> {
  const pid = await livePid(file);
  if (pid !== undefined) await endProcess(pid, signal, limitMs);
  await rm(file, { force: true });
}

/** Asks a process to stop and kills it when it takes longer than the limit. */
export async function endProcess(pid: number, signal: NodeJS.Signals, limitMs: number): Promise<void> {
  const startedAt = monotonicMs();
  sendSignal(pid, signal);
  while (isAlive(pid)) {
    if (monotonicMs() - startedAt > limitMs) {
      sendSignal(pid, 'SIGKILL');
      return;
    }
    await sleep(20);
  }
}

/** The folder that a process works in; undefined where there is no /proc. */
export function workingFolder(pid: number): Promise<string | undefined> {
  return readlink(`/proc/${pid}/cwd`).catch(() => undefined);
}

/** The parent of a process; undefined where there is no /proc, or no such process. */
export function parentOf(pid: number): number | undefined {
  try {
    return Number(statFields(readFileSync(`/proc/${pid}/stat`, 'utf8'))[PARENT_FIELD]);
  } catch {
    return undefined;
  }
}

/** Whether a process is a shell, by its name; false where there is no /proc. */
export function isShell(pid: number): boolean {
  try {
    return /^(ba|da|)sh$/.test(readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
  } catch {
    return false;
  }
}

/** Sends a signal; a process that is gone already is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // gone already
  }
}

async function startTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return statFields(stat)[START_TIME_FIELD];
}

// proc(5): what follows the name, which stands in parentheses and may hold anything.
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
