// Starts vitest on some files, and reads what each of them came to (test/harness/tally.ts writes it).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { monotonicMs } from '../../core/base/clock.ts';
import type { Cost } from '../../test/harness/tally.ts';

/** What to run. */
export interface VitestRun {
  root: string;
  files: readonly string[];
  args?: readonly string[];
  env?: Record<string, string>;
  /** Where the costs go; left out, to those of `npm test`. */
  costs?: string;
  /** Says what runs, in the lines that are printed meanwhile. */
  what: string;
}

const COSTS = '.local/test-cost.json';
const TELL_MS = 30_000;

/** Runs the files; whether all passed. A line every half minute says that it goes on. */
export async function runVitest(run: VitestRun): Promise<boolean> {
  const vitest = join(run.root, 'node_modules/vitest/vitest.mjs');
  const startedAt = monotonicMs();
  const seconds = () => Math.round((monotonicMs() - startedAt) / 1000);
  const child = spawn(process.execPath, [vitest, 'run', ...(run.args ?? []), ...run.files], {
    cwd: run.root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...run.env, ...(run.costs !== undefined && { TEST_COSTS: run.costs }) },
  });
  const timer = setInterval(() => console.log(`… ${run.what}: ${seconds()} s`), TELL_MS);
  const [code] = (await once(child, 'exit').finally(() => clearInterval(timer))) as [number | null];
  return code === 0;
}

/** What the files of the last runs cost; nothing where none was recorded. */
export function readCosts(root: string, file = COSTS): Map<string, Cost> {
  const path = resolve(root, file);
  const costs = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Cost[]) : [];
  return new Map(costs.map((cost) => [cost.file, cost]));
}

/** Makes sure that a file of costs has only what comes next. */
export function clearCosts(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
}
