// No process is left behind: a small shell (watchdog.sh) holds the other end of a pipe. However this process
// ends, kill -9 included, the pipe closes and the shell stops what is still on its list.
// A shell, not Node: 1 MB instead of 40, and it is there in a millisecond.

import { spawn, type ChildProcess } from 'node:child_process';

import { sendSignal } from './pid-file.ts';

/** The signal with which a process is asked to stop. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/** The list of processes that must not outlive this one. */
export interface Watchdog {
  add(pid: number, signal: StopSignal): void;
  remove(pid: number): void;
  /** Everything that works in this folder when this process ends is stopped too. */
  addFolder(folder: string): void;
  /** Ends everything on the list by force. */
  killAll(): void;
  /** Pid of the shell itself, for tests. */
  pid(): number | undefined;
  /** Ends the shell. What is still on the list is stopped by it. */
  close(): void;
}

/** Starts the shell. It is started anew, with the same list, should somebody kill it. */
export function startWatchdog(): Watchdog {
  const listed = new Map<number, StopSignal>();
  const folders = new Set<string>();
  let closed = false;
  let shell: ChildProcess;
  const send = (line: string) => void shell.stdin?.write(`${line}\n`);
  const start = () => {
    shell = spawnShell();
    for (const [pid, signal] of listed) send(addLine(pid, signal));
    for (const folder of folders) send(`folder ${folder}`);
    shell.once('exit', () => {
      if (!closed) start();
    });
  };
  start();
  return {
    add: (pid, signal) => {
      listed.set(pid, signal);
      send(addLine(pid, signal));
    },
    remove: (pid) => {
      if (listed.delete(pid)) send(`remove ${pid}`);
    },
    addFolder: (folder) => {
      folders.add(folder);
      send(`folder ${folder}`);
    },
    killAll: () => {
      for (const pid of listed.keys()) sendSignal(pid, 'SIGKILL');
    },
    pid: () => shell.pid,
    close: () => {
      closed = true;
      shell.stdin?.end();
    },
  };
}

function addLine(pid: number, signal: StopSignal): string {
  return `add ${pid} ${signal.slice('SIG'.length)}`;
}

function spawnShell(): ChildProcess {
  const shell = spawn('/bin/sh', [`${import.meta.dirname}/watchdog.sh`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // its own session, so that Ctrl-C in the terminal does not reach it
    cwd: '/',
  });
  shell.unref();
  shell.stdin?.on('error', () => {}); // the shell was killed; `exit` starts another
  (shell.stdin as { unref?: () => void } | null)?.unref?.();
  return shell;
}
