// PostgreSQL refuses to run as root. Where we are root it runs in a user namespace of its own, in which root has
// another number: that works in any folder. Where namespaces are forbidden (some containers) it runs as the
// package's user `postgres`, with its data in a folder which that user can reach.

import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How a program is run without being root. */
export interface NotRoot {
  /** Puts what is needed before a command. */
  wrap(command: string, args: string[]): { command: string; args: string[] };
  /** The user to change to, where one is needed. */
  ids?: { uid: number; gid: number };
  /** The folder for PostgreSQL's data. */
  folder: string;
}

const UNSHARE = ['--map-user=1000', '--map-group=1000', '--'];
const SHARED_PARENT = '/var/tmp'; // everybody may traverse it, and it outlives a reboot

/** Chooses the way for this machine and makes the parent folder of PostgreSQL's data. */
export async function notRoot(dataDir: string): Promise<NotRoot> {
  const plain = { wrap: (command: string, args: string[]) => ({ command, args }), folder: dataDir };
  if (process.getuid?.() !== 0) return plain;
  if (spawnSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' }).status === 0)
    return {
      ...plain,
      wrap: (command, args) => ({ command: 'unshare', args: [...UNSHARE, command, ...args] }),
    };
  return { ...plain, ...(await asPostgresUser(dataDir)) };
}

async function asPostgresUser(dataDir: string): Promise<Required<Pick<NotRoot, 'ids' | 'folder'>>> {
  const ids = await postgresAccount();
  const note = join(dataDir, 'postgres.folder'); // where the data are; lost together with what belongs to them
  const noted = await readFile(note, 'utf8').catch(() => undefined);
  if (noted !== undefined && canWrite(noted, ids)) return { ids, folder: noted };
  for (const parent of [dataDir, SHARED_PARENT]) {
    const folder = await makeFolder(parent, dataDir, ids);
    if (canWrite(folder, ids)) {
      await writeFile(note, folder);
      return { ids, folder };
    }
    await rmdir(folder);
  }
  throw new Error(`the user postgres can use neither ${dataDir} nor ${SHARED_PARENT}`);
}

// One folder per checkout: those of an earlier life of the same checkout go.
async function makeFolder(
  parent: string,
  dataDir: string,
  ids: { uid: number; gid: number },
): Promise<string> {
  const prefix = `postrider-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}-`;
  for (const name of (await readdir(parent)).filter((one) => one.startsWith(prefix)))
    await rm(join(parent, name), { recursive: true, force: true });
  const folder = await mkdtemp(join(parent, prefix));
  await chown(folder, ids.uid, ids.gid);
  return folder;
}

function canWrite(folder: string, ids: { uid: number; gid: number }): boolean {
  return spawnSync('test', ['-w', folder], { ...ids, stdio: 'ignore' }).status === 0;
}

async function postgresAccount(): Promise<{ uid: number; gid: number }> {
  const passwd = await readFile('/etc/passwd', 'utf8');
  const fields = passwd
    .split('\n')
    .find((line) => line.startsWith('postgres:'))
    ?.split(':');
  if (!fields) {
    throw new Error(
      'PostgreSQL does not run as root, this machine forbids user namespaces and has no user "postgres": ' +
        'run as another user, or set DATABASE_URL',
    );
  }
  return { uid: Number(fields[2]), gid: Number(fields[3]) };
}
