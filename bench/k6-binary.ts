// Finds k6, or builds the pinned version with Go into .local/bin.

import { spawn } from 'node:child_process';
import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

// The newest release of this module path; its TypeScript support (scripts are .ts) came with 1.0.
const K6_MODULE = 'go.k6.io/k6@v1.8.1';
const BIN_FOLDER = join(import.meta.dirname, '../.local/bin');
const BUILD_LIMIT_MS = 20 * 60_000; // two to five minutes on two idle cores
const PROGRESS_MS = 15_000;

/** No k6 and no way to build one; the message says what to install. */
export class K6Missing extends Error {}

/** The path of a k6 that runs. */
export async function findK6(log: (line: string) => void): Promise<string> {
  const folders = [...(process.env['PATH'] ?? '').split(':').filter(Boolean), BIN_FOLDER];
  for (const folder of folders) {
    const file = join(folder, 'k6');
    if (await isExecutable(file)) return file;
  }
  await build(log);
  return join(BIN_FOLDER, 'k6');
}

async function build(log: (line: string) => void): Promise<void> {
  await mkdir(BIN_FOLDER, { recursive: true });
  log(`no k6 here: building ${K6_MODULE} with Go, once; this takes minutes`);
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  const child = spawn('nice', ['-n', '19', 'go', 'install', K6_MODULE], {
    env: { ...process.env, GOBIN: BIN_FOLDER },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_LIMIT_MS,
  });
  let trouble = '';
  child.stderr.on('data', (chunk: Buffer) => (trouble = (trouble + chunk.toString()).slice(-2_000)));
  const progress = setInterval(() => log(`building k6, ${seconds()} s`), PROGRESS_MS);
  const ended = await new Promise<string | number | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  clearInterval(progress);
  if (ended === 0 && (await isExecutable(join(BIN_FOLDER, 'k6')))) {
    log(`k6 is built, after ${seconds()} s`);
    return;
  }
  throw new K6Missing(
    `k6 is neither on PATH nor in .local/bin, and building it did not work (${ended}).\n` +
      `${trouble}\nInstall k6 (https://grafana.com/docs/k6/latest/set-up/install-k6/), or Go ≥ 1.24 to have it built.`,
  );
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
