// The Python programs that the SDKs and tests need, in virtual environments of their own under .local/.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SDK_REQUIREMENTS = join(import.meta.dirname, 'python-generator/requirements.txt');
const WAIT_MS = 300_000;

/** The `bin` folder of an environment, made anew when its requirements changed; or what is missing to make it. */
export function pythonTools(
  name = 'sdk-python',
  requirements = SDK_REQUIREMENTS,
): { bin: string } | { missing: string } {
  const wanted = readFileSync(requirements, 'utf8');
  const folder = join(ROOT, '.local', name);
  const marker = join(folder, 'installed-requirements.txt');
  const bin = join(folder, 'bin');
  if (read(marker) === wanted) return { bin };
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    run('python3', ['-m', 'venv', folder]);
    run(join(bin, 'pip'), [
      'install',
      '--quiet',
      '--retries',
      '2',
      '--require-hashes',
      '--requirement',
      requirements,
    ]);
  } catch (error) {
    return {
      missing: `Python 3.11 with venv and PyPI are needed (apt-get install python3-venv): ${text(error)}`,
    };
  }
  writeFileSync(marker, wanted);
  return { bin };
}

function run(program: string, args: string[]): void {
  execFileSync(program, args, {
    stdio: 'pipe',
    timeout: WAIT_MS,
    env: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
  });
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function text(error: unknown): string {
  const { stderr, stdout, message } = error as { stderr?: Buffer; stdout?: Buffer; message: string };
  return String(stderr?.length ? stderr : stdout?.length ? stdout : message).trim();
}
