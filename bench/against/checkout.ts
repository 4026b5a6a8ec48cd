// A checkout for each of the two commits, below .local/bench/against, with the dependencies of that commit. They are
// clones that share the objects of this repository, so nothing of them shows in it.

import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import type { LogLine } from '../../local/servers/install.ts';

/** One commit, ready to run. */
export interface Checkout {
  /** For people: `81561159`, `HEAD 81561159 + changes`. */
  name: string;
  sha: string;
  folder: string;
  /** The Node of its own dependencies. */
  node: string;
  env: NodeJS.ProcessEnv;
}

/** A commit by its name and hash. */
export interface Commit {
  name: string;
  sha: string;
}

/** What was named cannot be compared; the message says why. */
export class CannotCompare extends Error {}

const ROOT = join(import.meta.dirname, '../..');
const READY = '.local/ready'; // made last: a checkout without it was interrupted
const SHORT = 8;
const INSTALL_LIMIT_MS = 15 * 60_000;
const run = promisify(execFile);

/** Finds a commit by any name that git knows. */
export async function findCommit(name: string): Promise<Commit> {
  try {
    const sha = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
    return { name: sha.slice(0, SHORT), sha };
  } catch {
    throw new CannotCompare(`git finds no commit "${name}"`);
  }
}

/** The files of this checkout as they are now: HEAD, or a commit on no branch if files differ from HEAD. */
export async function snapshot(folder: string): Promise<Commit> {
  const head = await git(['rev-parse', 'HEAD']);
  const name = `HEAD ${head.slice(0, SHORT)}`;
  if ((await git(['status', '--porcelain'])) === '') return { name, sha: head };
  // A second index, so that what the developer has staged stays staged. Ignored files are left out.
  const index = join(folder, 'index');
  await copyFile(join(ROOT, await git(['rev-parse', '--git-path', 'index'])), index).catch(() => {});
  const env = { ...process.env, GIT_INDEX_FILE: index, ...SAME_EVERY_TIME };
  await git(['add', '--all'], env);
  const tree = await git(['write-tree'], env);
  const sha = await git(['commit-tree', tree, '-p', head, '-m', 'Uncommitted changes'], env);
  return { name: `${name} + changes`, sha };
}

// Equal files make an equal hash, so that their checkout is used again.
const PERSON = { NAME: 'bench', EMAIL: 'bench@localhost', DATE: '2026-01-01T00:00:00Z' };
const SAME_EVERY_TIME = Object.fromEntries(
  Object.entries(PERSON).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]),
);

/** Makes the checkout of a commit, or finds the one that an earlier comparison made. */
export async function openCheckout(
  folder: string,
  commit: Commit,
  { log, signal }: { log: LogLine; signal: AbortSignal },
): Promise<Checkout> {
  const place = join(folder, commit.sha.slice(0, 12));
  const env = environment(place);
  if (!existsSync(join(place, READY))) {
    log(`${commit.name}: checking out`);
    const startedAt = performance.now();
    await rm(place, { recursive: true, force: true });
    await git(['clone', '--quiet', '--shared', '--no-checkout', ROOT, place]);
    await run('git', ['-C', place, 'checkout', '--quiet', '--detach', commit.sha]);
    await install(place, commit.name, env, { log, signal });
    await mkdir(join(ROOT, '.local/bin'), { recursive: true });
    await mkdir(join(place, '.local'), { recursive: true });
    await symlink(join(ROOT, '.local/bin'), join(place, '.local/bin')); // k6, in the version that its name states
    await writeFile(join(place, READY), '');
    log(`${commit.name}: ready after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }
  const bundled = join(place, 'node_modules/.bin/node');
  return { ...commit, folder: place, node: existsSync(bundled) ? bundled : process.execPath, env };
}

/** Removes the checkouts of earlier comparisons, except those of these commits. */
export async function removeOthers(folder: string, commits: Commit[]): Promise<void> {
  const kept = commits.map(({ sha }) => sha.slice(0, 12));
  for (const name of await readdir(folder))
    if (/^[0-9a-f]{12}$/.test(name) && !kept.includes(name))
      await rm(join(folder, name), { recursive: true, force: true });
}

async function install(
  place: string,
  name: string,
  env: NodeJS.ProcessEnv,
  { log, signal }: { log: LogLine; signal: AbortSignal },
): Promise<void> {
  if (await isInstalledHere(place)) {
    log(`${name}: dependencies as in this checkout, linked`);
    // Hard links: 800 MB in some seconds and without space. Another file system, or another cp, has them installed.
    const linked = await run('cp', ['-al', join(ROOT, 'node_modules'), join(place, 'node_modules')]).catch(
      () => null,
    );
    if (linked) return;
    await rm(join(place, 'node_modules'), { recursive: true, force: true });
  }
  log(`${name}: npm ci`);
  const child = spawn('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: place,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: INSTALL_LIMIT_MS,
    signal,
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  signal.throwIfAborted();
  if (code !== 0) throw new CannotCompare(`${name}: npm ci ended with ${String(code)}\n${output}`);
}

type Lock = { packages: Record<string, { version?: string; integrity?: string; optional?: boolean }> };

// node_modules/.package-lock.json lists what npm installed. Packages for other systems are optional and not there.
async function isInstalledHere(place: string): Promise<boolean> {
  try {
    const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Lock;
    const wanted = (await read(join(place, 'package-lock.json'))).packages;
    const installed = (await read(join(ROOT, 'node_modules/.package-lock.json'))).packages;
    const isSame = (path: string) =>
      installed[path]?.version === wanted[path]?.version &&
      installed[path]?.integrity === wanted[path]?.integrity;
    const missing = Object.keys(wanted).filter(
      (path) => path !== '' && !(path in installed) && !wanted[path]?.optional,
    );
    return missing.length === 0 && Object.keys(installed).every(isSame);
  } catch {
    return false; // no list: node_modules was made by something else
  }
}

// `npm run` puts the settings and programs of this checkout into the environment; the other one has its own.
function environment(place: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([key]) => !/^npm_|^INIT_CWD$/i.test(key));
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((one) => !one.startsWith(join(ROOT, 'node_modules')));
  return { ...Object.fromEntries(kept), PATH: [join(place, 'node_modules/.bin'), ...path].join(delimiter) };
}

async function git(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { stdout } = await run('git', args, { cwd: ROOT, env, maxBuffer: 64 * 2 ** 20 });
  return stdout.trim();
}
