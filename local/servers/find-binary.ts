// Looks for the servers that this machine has: on PATH and where Debian, Red Hat and Homebrew put them.
// A file of the right name is not enough: it must run and say a version that is new enough.

import { execFile } from 'node:child_process';
import { access, constants, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What to look for. */
export interface BinarySpec {
  /** File name, for example `redis-server`. */
  name: string;
  /** Oldest version that will do, for example `[2, 9]`. */
  atLeast: [number, number];
  /** Folders beside PATH; a `*` stands for one level of any name, newest first. */
  folders: string[];
  /** Programs that must lie in the same folder. */
  companions?: string[];
}

/** A server program that runs and is new enough. */
export interface Binary {
  /** As found, links not followed: redis-server is a link to a program that looks at its own name. */
  path: string;
  /** The folder it really lies in, symbolic links followed. */
  folder: string;
  version: [number, number];
}

const VERSION_LIMIT_MS = 5_000; // a program that takes longer to say its version is not the one we want

/** The first program on PATH, then in the known folders, that satisfies the spec. */
export async function findBinary(
  spec: BinarySpec,
  path = process.env['PATH'] ?? '',
): Promise<Binary | undefined> {
  const seen = new Set<string>();
  for (const folder of [...path.split(':').filter(Boolean), ...(await expand(spec.folders))]) {
    const binary = await inspect(join(folder, spec.name), spec, seen);
    if (binary) return binary;
  }
  return undefined;
}

/** Major and minor version in what a server prints for `--version`. */
export function parseVersion(text: string): [number, number] | undefined {
  const match = /(?:^|[\sv=])(\d+)\.(\d+)/.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

async function inspect(file: string, spec: BinarySpec, seen: Set<string>): Promise<Binary | undefined> {
  try {
    await access(file, constants.X_OK);
    const real = await realpath(file);
    if (seen.has(real)) return undefined;
    seen.add(real);
    const folder = dirname(real);
    for (const companion of spec.companions ?? []) await access(join(folder, companion), constants.X_OK);
    const version = parseVersion(await versionText(file));
    return version && isAtLeast(version, spec.atLeast) ? { path: file, folder, version } : undefined;
  } catch {
    return undefined; // absent, not executable, or not what its name says
  }
}

function isAtLeast(version: [number, number], wanted: [number, number]): boolean {
  return version[0] > wanted[0] || (version[0] === wanted[0] && version[1] >= wanted[1]);
}

function versionText(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(path, ['--version'], { timeout: VERSION_LIMIT_MS }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}

async function expand(folders: string[]): Promise<string[]> {
  const expanded = await Promise.all(folders.map(expandOne));
  return expanded.flat();
}

async function expandOne(folder: string): Promise<string[]> {
  const star = folder.split('/').findIndex((part) => part.includes('*'));
  if (star < 0) return [folder];
  const parts = folder.split('/');
  const parent = parts.slice(0, star).join('/');
  const pattern = new RegExp(`^${parts[star]?.replaceAll('*', '.*') ?? ''}$`);
  const names = await readdir(parent).catch(() => []);
  return names
    .filter((name) => pattern.test(name))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => [parent, name, ...parts.slice(star + 1)].join('/'));
}
