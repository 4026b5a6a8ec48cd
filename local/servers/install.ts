// Installs missing servers with apt-get when this process may (root on Debian or Ubuntu); otherwise says the one
// line that does it. The packages' own services are kept from starting: we run private instances.

import { spawn } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { monotonicMs } from '../../core/base/clock.ts';

/** Prints one line of progress. */
export type LogLine = (line: string) => void;

/** A server that is missing and cannot be installed from here; the message says what to do. */
export class MissingServerError extends Error {}

/** How each package manager calls the servers. */
export interface PackageNames {
  apt: string;
  brew: string;
}

// While it is there, package scripts do not start services (see invoke-rc.d(8)).
const POLICY_FILE = '/usr/sbin/policy-rc.d';
// Read by PostgreSQL's package script: without it a cluster that nobody uses is made (3 s, 40 MB).
const CLUSTER_FILE = '/etc/postgresql-common/createcluster.conf';
const APT_LOCK_SECONDS = 180; // another apt-get (unattended upgrades, for instance) may hold the lock
const OUTPUT_KEPT = 4_000; // characters of apt-get's output shown when it fails

/** Installs the packages, or throws MissingServerError with the line that the reader should run. */
export async function installPackages(packages: PackageNames[], log: LogLine): Promise<void> {
  const names = packages.map((names) => names.apt);
  const apt = await exists('/usr/bin/apt-get');
  if (!apt || process.getuid?.() !== 0) throw new MissingServerError(installLine(packages, apt));

  const startedAt = monotonicMs();
  log(`installing ${names.join(', ')} with apt-get (once; takes about half a minute)`);
  const made = await writeWhereAbsent([
    [POLICY_FILE, '#!/bin/sh\nexit 101\n', 0o755],
    [CLUSTER_FILE, 'create_main_cluster = false\n', 0o644],
  ]);
  try {
    await aptGet(['update'], log).catch(() => log('apt-get update failed; trying with the lists at hand'));
    await aptGet(['install', '--yes', '--no-install-recommends', ...names], log);
  } finally {
    if (made.includes(POLICY_FILE)) await rm(POLICY_FILE, { force: true });
  }
  log(`installed in ${((monotonicMs() - startedAt) / 1000).toFixed(1)} s`);
}

/** What the reader must run to get the packages. */
export function installLine(packages: PackageNames[], apt: boolean): string {
  const names = packages.map((names) => (apt ? names.apt : names.brew)).join(' ');
  const command = apt
    ? `sudo apt-get install --no-install-recommends ${names}`
    : process.platform === 'darwin'
      ? `brew install ${names}`
      : `install ${names} with your package manager`;
  return `Missing on this machine: ${names}. Please run:\n  ${command}\nor set DATABASE_URL, REDIS_URL and NATS_URL.`;
}

async function writeWhereAbsent(files: [path: string, content: string, mode: number][]): Promise<string[]> {
  const made: string[] = [];
  for (const [path, content, mode] of files) {
    if (await exists(path)) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { mode });
    made.push(path);
  }
  return made;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function aptGet(args: string[], log: LogLine): Promise<void> {
  const options = [
    `DPkg::Lock::Timeout=${APT_LOCK_SECONDS}`,
    'Dpkg::Use-Pty=0',
    'Dpkg::Options::=--force-confold',
  ];
  const child = spawn('/usr/bin/apt-get', [...options.flatMap((option) => ['-o', option]), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    const text = chunk.toString();
    output = (output + text).slice(-OUTPUT_KEPT);
    for (const step of text.matchAll(/^(?:Setting up|Need to get) [^\n]*/gm)) log(`  ${step[0]}`);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`apt-get ${args[0]} failed (${code}):\n${output}`)),
    );
  });
}
