// A mail server that is compared: it takes mail over SMTP and passes it on to the sink.

import { readdirSync, readlinkSync } from 'node:fs';

import { sleep } from '../../core/base/clock.ts';
import { greets } from '../stack/greets.ts';
import type { Login } from './offer.ts';

/** One that runs. */
export interface MailServer {
  /** With its version. */
  name: string;
  login: Login;
  /** Its processes now, the stores that belong to it included. */
  pids(): number[];
  /** SIGKILL to all of them. */
  kill(): Promise<void>;
  /** After `kill`: starts it again. Resolves when it greets. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const GREETS_WITHIN_MS = 60_000;

/** The processes whose working directory lies in a folder: those of a mail server work in its queue. */
export function pidsIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workingDirectory(name)?.startsWith(folder))
    .map(Number);
}

function workingDirectory(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null; // it has ended
  }
}

/** SIGKILL to those that work in a folder, and to what they forked meanwhile. Resolves when none is left. */
export async function killIn(folder: string): Promise<void> {
  for (let pids = pidsIn(folder); pids.length > 0; pids = pidsIn(folder)) {
    signal(pids, 'SIGKILL');
    await sleep(10);
  }
}

/** Resolves when a mail server on this port of 127.0.0.1 greets. */
export async function untilItGreets(port: number): Promise<void> {
  const startedAt = performance.now();
  while (!(await greets(port))) {
    if (performance.now() - startedAt > GREETS_WITHIN_MS) throw new Error(`nobody greets on port ${port}`);
    await sleep(50);
  }
}

/** Sends a signal to processes; those that have ended are left out. */
export function signal(pids: number[], name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // it has ended
    }
  }
}
