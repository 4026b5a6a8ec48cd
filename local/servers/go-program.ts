// Programs written in Go that only tests and measurements need: found on PATH, or built once, in their pinned version,
// into .local/bin.

import { spawn } from 'node:child_process';
import { access, constants, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { monotonicMs } from '../../core/base/clock.ts';
import type { LogLine } from './install.ts';

/** Which program. */
export interface GoProgram {
  /** Its name on PATH. */
  name: string;
  /** What `go install` builds, with its exact version. */
  module: string;
  /** What to install, or where to read how. */
  hint: string;
}

/** It is not there and cannot be built; the message says what to install. */
export class GoProgramMissing extends Error {}

const BIN_FOLDER = join(import.meta.dirname, '../../.local/bin');
const BUILD_LIMIT_MS = 20 * 60_000; // k6 takes two to five minutes on two idle cores
const PROGRESS_MS = 15_000;
const OUTPUT_KEPT = 2_000; // characters of the compiler's output shown when it fails

/** The path of a program that runs. */
export async function findGoProgram(program: GoProgram, log: LogLine): Promise<string> {
  const built = join(BIN_FOLDER, `${program.name}-${program.module.split('@')[1]}`);
  const folders = (process.env['PATH'] ?? '').split(':').filter(Boolean);
  for (const file of [...folders.map((folder) => join(folder, program.name)), built])
    if (await isExecutable(file)) return file;
  await build(program, built, log);
  return built;
}

async function build({ name, module, hint }: GoProgram, file: string, log: LogLine): Promise<void> {
  const folder = `${file}.build`; // `go install` names the program as its folder is named
  await mkdir(folder, { recursive: true });
  log(`no ${name} here: building ${module} with Go, once; this may take minutes`);
  const startedAt = monotonicMs();
  const seconds = () => Math.round((monotonicMs() - startedAt) / 1000);
  const child = spawn('nice', ['-n', '19', 'go', 'install', module], {
    env: { ...process.env, GOBIN: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_LIMIT_MS,
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_KEPT)));
  const progress = setInterval(() => log(`building ${name}, ${seconds()} s`), PROGRESS_MS);
  const ended = await new Promise<string | number | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  clearInterval(progress);
  const made = join(folder, module.split('@')[0]!.split('/').at(-1)!);
  if (ended === 0 && (await isExecutable(made))) {
    await rename(made, file);
    return log(`${name} is built, after ${seconds()} s`);
  }
  throw new GoProgramMissing(
    `${name} is neither on PATH nor in .local/bin, and building it did not work (${ended}).\n${output}\nInstall ${hint}, or Go ≥ 1.24 to have it built.`,
  );
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
