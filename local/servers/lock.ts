// One process per folder: a file that names its holder. The lock of a process that died holds nobody up.

import { link, rm } from 'node:fs/promises';

import { livePid, writePidFile } from './pid-file.ts';

/** A lock that is held. */
export interface Lock {
  release(): Promise<void>;
}

/** Somebody else holds the lock. */
export class LockedError extends Error {
  readonly pid: number;

  constructor(file: string, pid: number) {
    super(`already running in this folder as process ${pid} (lock file ${file})`);
    this.pid = pid;
  }
}

const TRIES = 3; // a stale lock is removed and taken again; more than once only in a race with another start

/** Takes the lock, or throws LockedError. */
export async function takeLock(file: string): Promise<Lock> {
  const mine = `${file}.${process.pid}`;
  await writePidFile(mine, process.pid);
  try {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if (await tryLink(mine, file)) return { release: () => rm(file, { force: true }) };
      const holder = await livePid(file);
      if (holder !== undefined) throw new LockedError(file, holder);
      await rm(file, { force: true });
    }
    throw new Error(`cannot take the lock ${file}`);
  } finally {
    await rm(mine, { force: true });
  }
}

// A hard link appears with its content, or not at all: nobody reads a lock that is half written.
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
