// A PostgreSQL that has Citus: as its own packages install it, or made in a folder of ours from the .deb that CITUS_PACKAGE
// names, which changes nothing on the machine. PostgreSQL looks for extensions beside its program only, so the folder gets
// a copy of the program and links to all else.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findBinary, type Binary } from './find-binary.ts';
import { POSTGRES_BINARY } from './postgres.ts';

const run = promisify(execFile);

const NOT_THERE =
  'Citus is not installed: apt-get install postgresql-15-citus-12.1 from the packages of Citus (docs/citus.md), ' +
  'or set CITUS_PACKAGE=/path/to/its.deb';
const CONTROL = 'extension/citus.control';
const LIB = 'usr/lib/postgresql';
const SHARE = 'usr/share/postgresql';
const PROGRAMS = ['postgres', 'initdb'];

/** The PostgreSQL to start for Citus; `dataDir` is where one is made from CITUS_PACKAGE. A text says why there is none. */
export async function findCitus(dataDir: string): Promise<Binary | string> {
  const postgres = await findBinary(POSTGRES_BINARY);
  if (!postgres) return 'PostgreSQL is not installed';
  if (hasCitus(postgres)) return postgres;
  const file = process.env['CITUS_PACKAGE'];
  if (!file) return NOT_THERE;
  const made = join(dataDir, 'citus-program');
  if (!existsSync(made)) await unpack(file, postgres, made);
  const folder = join(made, LIB, String(postgres.version[0]), 'bin');
  const binary = { ...postgres, folder, path: join(folder, 'postgres') };
  return hasCitus(binary) ? binary : `${file} has no Citus for PostgreSQL ${postgres.version[0]}`;
}

// Debian: /usr/lib/postgresql/15/bin and /usr/share/postgresql/15; others: …/bin and …/share.
function shareOf({ folder, version }: Binary): string {
  const debian = join(folder, '../../../../share/postgresql', String(version[0]));
  return existsSync(debian) ? debian : join(folder, '../share');
}

function hasCitus(postgres: Binary): boolean {
  return existsSync(join(shareOf(postgres), CONTROL));
}

// Laid out as Debian does, which is where the package's files go and how a program from Debian looks for its own.
async function unpack(file: string, postgres: Binary, made: string): Promise<void> {
  const fresh = `${made}.new`;
  const version = String(postgres.version[0]);
  const [lib, share] = [join(fresh, LIB, version), join(fresh, SHARE)];
  await rm(fresh, { recursive: true, force: true });
  await mkdir(join(lib, 'bin'), { recursive: true });
  await mkdir(share, { recursive: true });
  for (const program of PROGRAMS) await cp(join(postgres.folder, program), join(lib, 'bin', program));
  for (const [from, to] of [
    [join(postgres.folder, '../lib'), lib],
    [shareOf(postgres), share],
  ] as const)
    await run('cp', ['--recursive', '--symbolic-link', from, to]);
  await run('dpkg-deb', ['--extract', file, fresh]);
  await rename(fresh, made);
}
