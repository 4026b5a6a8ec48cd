// Keeps one child process running: output to a file, on the watchdog's list, started again with growing pauses
// when it ends by itself, stopped with its signal and, past its time, by force.

import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import type { LogLine } from './install.ts';
import { endLeftover, writePidFile } from './pid-file.ts';
import type { StopSignal, Watchdog } from './watchdog.ts';

/** What to run, and how it is stopped. */
export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  cwd: string;
  env?: Record<string, string | undefined>;
  uid?: number;
  gid?: number;
  stopSignal: StopSignal;
  stopLimitMs: number;
  /** Standard output and error go here; cut at the first start. */
  logFile: string;
  /** Where the pid is kept, so that a later run finds what a crash left over. */
  pidFile: string;
  /** Runs before every start, the first included. */
  prepare?: () => Promise<void>;
}

/** A child that is kept running. */
export interface Supervised {
  pid(): number;
  /** Resolves with the reason when the process ends before `ready` was called; it is not started again then. */
  failedStart: Promise<string>;
  /** From now on the process is started again when it ends. */
  ready(): void;
  stop(): Promise<void>;
}

/** What a supervisor needs from its surroundings. */
export interface SuperviseDeps {
  watchdog: Watchdog;
  log: LogLine;
  /** Called after every start with the new pid. */
  onStart?: (pid: number) => void;
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
const STEADY_MS = 30_000; // having run that long, the next pause is short again

/** Starts the process and keeps it running until `stop`. */
export async function supervise(spec: ProcessSpec, deps: SuperviseDeps): Promise<Supervised> {
  await endLeftover(spec.pidFile, spec.stopSignal, spec.stopLimitMs);
  const stopping = new AbortController();
  let child: ChildProcess = await startOnce(spec, deps, 'w');
  const failedStart = exitOf(child);
  let ready = false;
  let pause = FIRST_PAUSE_MS;

  const keepRunning = async () => {
    for (;;) {
      const startedAt = monotonicMs();
      const reason = await exitOf(child);
      if (stopping.signal.aborted || !ready) return;
      if (monotonicMs() - startedAt > STEADY_MS) pause = FIRST_PAUSE_MS;
      deps.log(`${spec.name} ended (${reason}); starting it again in ${pause} ms; see ${spec.logFile}`);
      await sleep(pause, stopping.signal);
      if (stopping.signal.aborted) return;
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
      child = await startOnce(spec, deps, 'a');
    }
  };
  const running = keepRunning().catch((error: unknown) => deps.log(`${spec.name}: ${String(error)}`));

  return {
    pid: () => child.pid ?? 0,
    failedStart,
    ready: () => {
      ready = true;
    },
    stop: async () => {
      stopping.abort();
      await stopChild(child, spec);
      await running;
      await rm(spec.pidFile, { force: true });
    },
  };
}

/** The last lines of a log file, for the reader of an error. */
export async function lastLines(file: string, count = 15): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

async function startOnce(spec: ProcessSpec, deps: SuperviseDeps, logFlag: 'w' | 'a'): Promise<ChildProcess> {
  await spec.prepare?.();
  const output = openSync(spec.logFile, logFlag, 0o600);
  try {
    const child = spawn(spec.command, spec.args, spawnOptions(spec, output));
    const { pid } = child;
    if (pid !== undefined) {
      deps.watchdog.add(pid, spec.stopSignal);
      child.once('exit', () => deps.watchdog.remove(pid));
      await writePidFile(spec.pidFile, pid);
      deps.onStart?.(pid);
    }
    return child;
  } finally {
    closeSync(output);
  }
}

function spawnOptions(spec: ProcessSpec, output: number): SpawnOptions {
  return {
    cwd: spec.cwd,
    stdio: ['ignore', output, output],
    detached: true, // its own session: Ctrl-C reaches only us, and we stop things in order
    ...(spec.env === undefined ? {} : { env: spec.env }),
    ...(spec.uid === undefined ? {} : { uid: spec.uid }),
    ...(spec.gid === undefined ? {} : { gid: spec.gid }),
  };
}

function exitOf(child: ChildProcess): Promise<string> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(child.signalCode ?? `code ${child.exitCode}`);
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    child.once('error', (error) => resolve(error.message));
  });
}

async function stopChild(child: ChildProcess, spec: ProcessSpec): Promise<void> {
  const exited = exitOf(child);
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill(spec.stopSignal);
  const force = setTimeout(() => child.kill('SIGKILL'), spec.stopLimitMs);
  await exited;
  clearTimeout(force);
}
