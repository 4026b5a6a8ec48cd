// The generators, linters and analyzers that only a change of the code needs: local/tools/package.json. They are as large as
// all other packages together, so `npm ci` leaves them out, and the first command that needs them installs them.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const INSTALLED = join(ROOT, '.local/tools');
const HASH_DIGITS = 16;

/** The folder with the `node_modules` of the locked tools. Installs them if this lock is not installed yet. */
export function installTools(): string {
  const lock = readFileSync(join(import.meta.dirname, 'package-lock.json'));
  const name = createHash('sha256').update(lock).digest('hex').slice(0, HASH_DIGITS);
  const folder = join(INSTALLED, name);
  if (existsSync(folder)) return folder;
  console.error('installing the tools of local/tools, once for each version of its lockfile');
  const others = existsSync(INSTALLED) ? readdirSync(INSTALLED).filter((one) => !one.includes('-')) : [];
  install(folder);
  for (const other of others) rmSync(join(INSTALLED, other), { recursive: true, force: true });
  return folder;
}

/** A module of the tools. The caller declares the part of it that it uses. */
export async function importTool<Module>(name: string): Promise<Module> {
  const loader = pathToFileURL(join(installTools(), 'load.mjs')).href;
  const { load } = (await import(loader)) as { load: (name: string) => Promise<Module> };
  return load(name);
}

/** The path of a program of the tools. */
export function toolProgram(name: string): string {
  return join(installTools(), 'node_modules/.bin', name);
}

// Under a name of this process first: a folder with the name of the lock is complete, also when two processes install at once.
function install(folder: string): void {
  const making = `${folder}-${process.pid}`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'load.mjs'])
    copyFileSync(join(import.meta.dirname, file), join(making, file));
  copyFileSync(join(ROOT, '.npmrc'), join(making, '.npmrc')); // npm reads only that of its folder
  try {
    const options = ['--no-audit', '--no-fund', '--loglevel', 'error', '--prefix', making];
    execFileSync('npm', ['ci', ...options], { cwd: making, stdio: ['ignore', 'ignore', 'inherit'] });
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (existsSync(folder)) return; // another process was faster
    throw new Error('npm could not install the tools of local/tools', { cause: error });
  }
}
