// Builds the dashboard into dashboard/dist, with a gzip and a brotli copy of every file. As a module it builds only
// what is missing or older than its sources: `npm start` and the tests call that. The build goes into a folder of its
// own and takes the place of the old one at the end, so that an api that runs never sees half of one.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { DOCS } from './src/shell/help.ts';

const ROOT = import.meta.dirname;
const DIST = join(ROOT, 'dist');
const STAMP = 'sources.sha256';
const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'doc-pages.ts',
  'build.ts',
  '../package-lock.json',
  ...DOCS.map(({ name }) => `../docs/${name}.md`),
];
const FONT_LICENSE = '../node_modules/@fontsource-variable/inter/LICENSE'; // it goes where the font goes (OFL 1.1, 2)
const COMPRESSED = /\.(js|css|html|svg)$/;

/** Builds when the sources are not those of the last build. Returns whether it built. Throws when it cannot. */
export async function buildDashboardIfStale(log: (line: string) => void): Promise<boolean> {
  const hash = await hashSources();
  const built = await readFile(join(DIST, STAMP), 'utf8').catch(() => null);
  if (built === hash) return false;
  log('building the dashboard (a few seconds)');
  await buildDashboard(hash);
  return true;
}

async function buildDashboard(hash: string): Promise<void> {
  const fresh = `${DIST}-${process.pid}`;
  const old = `${fresh}-old`;
  try {
    await runVite(fresh);
    await copyFile(join(ROOT, FONT_LICENSE), join(fresh, 'assets/inter-license.txt'));
    await compress(fresh);
    await writeFile(join(fresh, STAMP), hash);
    await rename(DIST, old).catch(() => undefined);
    await rename(fresh, DIST);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  }
}

// A process of its own: the bundler's memory goes with it, and NODE_ENV of tests would give React's slow build.
async function runVite(outDir: string): Promise<void> {
  const vite = join(ROOT, '../node_modules/vite/bin/vite.js');
  const args = [vite, 'build', ROOT, '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, args, { env, cwd: ROOT }).catch(
    (error: Error & { stderr?: string }) => {
      throw new Error(`The dashboard cannot be built:\n${error.stderr ?? error.message}`);
    },
  );
}

async function compress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter((name) => COMPRESSED.test(name))
      .map(async (name) => {
        const file = join(folder, name);
        const bytes = await readFile(file);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
        await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
      }),
  );
}

// By content, not by time: a fresh checkout has the same contents with other times.
async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    const below = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
    const files = below
      ?.filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)) ?? [path];
    for (const file of files.sort()) {
      hash.update(file.slice(ROOT.length)).update('\0');
      hash.update(await readFile(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

if (import.meta.main) {
  const built = await buildDashboardIfStale((line) => console.log(line));
  console.log(built ? 'dashboard/dist is built' : 'dashboard/dist is up to date');
}
