// A file system that can be made full: a tmpfs in a mount namespace of its own, where a user may mount it too (a user
// namespace is made around it). PostgreSQL runs in that namespace with its tables there, and its log, which commits wait
// for, on the real disk.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { NotRoot } from '../../local/servers/not-root.ts';
import type { Watchdog } from '../../local/servers/watchdog.ts';

/** The volume. */
export interface Volume {
  /** How PostgreSQL is run in the namespace. */
  notRoot: NotRoot;
  /** An empty folder on the volume, as PostgreSQL sees it. */
  folder: string;
  /** Leaves no free block, or gives all of them back. */
  setFull(on: boolean): Promise<void>;
  close(): void;
}

const SIZE = 4 * 1024 ** 3; // bytes at most; only what is written takes memory
const UNSHARE = ['--user', '--map-user=1000', '--map-group=1000', '--keep-caps', '--mount'];
// Ends with its input: when the prover is gone. PostgreSQL keeps the namespace while it stops.
const SCRIPT = `
  mount -t tmpfs -o size=$2,mode=0700 tmpfs "$1" && echo mounted || exit 1
  while read -r size; do mount -o remount,size=$size "$1" && echo done || echo failed; done`;

/** Makes the volume under a folder; null where namespaces or mounts are forbidden. */
export async function makeVolume(dataDir: string, watchdog: Watchdog): Promise<Volume | null> {
  const mountPoint = join(dataDir, 'volume');
  await mkdir(mountPoint, { recursive: true });
  const keeper = spawn('unshare', [...UNSHARE, 'sh', '-c', SCRIPT, 'volume', mountPoint, `${SIZE}`], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true, // Ctrl-C reaches only us
  });
  const ended = once(keeper, 'close').catch(() => {}); // no unshare at all
  const lines = createInterface(keeper.stdout)[Symbol.asyncIterator]();
  const first = await Promise.race([lines.next(), ended.then(() => ({ value: undefined }))]);
  if (first.value !== 'mounted' || keeper.pid === undefined) return null;
  watchdog.add(keeper.pid, 'SIGTERM');
  const seen = join('/proc', `${keeper.pid}`, 'root', mountPoint); // the volume, from outside of the namespace
  await mkdir(join(seen, 'tables'), { mode: 0o700 });
  return {
    notRoot: { folder: dataDir, wrap: (command, args) => enter(keeper.pid!, command, args) },
    folder: join(mountPoint, 'tables'),
    setFull: async (on) => {
      const { bsize, blocks, bfree } = await statfs(seen);
      keeper.stdin.write(`${on ? Math.max((blocks - bfree) * bsize, bsize) : SIZE}\n`);
      const answer = await lines.next();
      if (answer.value !== 'done') throw new Error('the size of the volume could not be changed');
    },
    close: () => {
      watchdog.remove(keeper.pid!);
      keeper.stdin.end();
    },
  };
}

function enter(pid: number, command: string, args: string[]): { command: string; args: string[] } {
  const options = ['--user', '--mount', `--target=${pid}`, '--preserve-credentials', '--'];
  return { command: 'nsenter', args: [...options, command, ...args] };
}
