// The clocks of our processes, moved by libfaketime: each process has a file with the seconds that its clock is ahead, and
// reads it anew every second. Clocks that measure durations are left alone.

import { glob, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isAlive } from '../servers/pid-file.ts';

/** The clock of one process. */
export interface ProcessClock {
  /** Settings for the process. */
  env: Record<string, string>;
  set(aheadSeconds: number): Promise<void>;
}

const SHARED_MEMORY = '/dev/shm';
const LIBRARY = '/usr/lib/*/faketime/libfaketimeMT.so.1';

/** The library, null where it is not installed. */
export async function findLibfaketime(): Promise<string | null> {
  for await (const file of glob(LIBRARY)) return file;
  return null;
}

/** Makes a clock that is ahead by so many seconds so far. Processes that share it have one name. */
export async function makeProcessClock(
  folder: string,
  name: string,
  library: string,
  aheadSeconds = 0,
): Promise<ProcessClock> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, name);
  const write = async (seconds: number) => {
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    await rename(`${file}.new`, file); // never half written
  };
  let last: Promise<void> = Promise.resolve();
  const set = (seconds: number) => (last = last.then(() => write(seconds))); // the latest call is the last to write
  await set(aheadSeconds);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  };
  return { env, set };
}

/** Removes what the library of killed processes leaves behind: a process that gets such a pid again could not start. */
export async function forgetDeadProcesses(): Promise<void> {
  for (const name of await readdir(SHARED_MEMORY).catch(() => [])) {
    const pid = /^(?:sem\.faketime_sem|faketime_shm)_(\d+)$/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(SHARED_MEMORY, name), { force: true }).catch(() => {}); // another user's
  }
}
