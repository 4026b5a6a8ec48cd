// Builds the dashboard into dashboard/dist, with a gzip and a brotli copy of every file. As a module it builds only
// what is missing or older than its sources: `npm start` and the tests call that.

import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { buildIfStale } from '../local/build/build-if-stale.ts';
import { DOCS } from './src/shell/help.ts';

const ROOT = import.meta.dirname;
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
export function buildDashboardIfStale(log: (line: string) => void): Promise<boolean> {
  const wanted = { dist: join(ROOT, 'dist'), root: ROOT, sources: SOURCES, build };
  return buildIfStale(wanted, () => log('building the dashboard (a few seconds)'));
}

async function build(folder: string): Promise<void> {
  await runVite(folder);
  await copyFile(join(ROOT, FONT_LICENSE), join(folder, 'assets/inter-license.txt'));
  await compress(folder);
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

if (import.meta.main) {
  const built = await buildDashboardIfStale((line) => console.log(line));
  console.log(built ? 'dashboard/dist is built' : 'dashboard/dist is up to date');
}
