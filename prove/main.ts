// `npm run prove -- --minutes 20 [--seed N]`: load and faults against everything that ships, and an auditor who sees only what
// clients and receivers see (docs/proof.md). `--self-test`: bugs that are planted are found. `--verify FILE`: a report is what
// was written. `--compare`: the same kills for other mail servers. Ends with 1 when a promise was broken.

import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { nowDate, utcDay } from '../core/base/clock.ts';
import { selfTest } from './bugs/self-test.ts';
import { compareAll } from './compare/compare-all.ts';
import { runOnce } from './prove.ts';
import { verifyReport, writeReport } from './report/write-report.ts';

const ROOT = join(import.meta.dirname, '..');
const SHOWN = 20;

process.exitCode = (await main()) ? 0 : 1;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '20' },
      seed: { type: 'string', default: seedOfToday() },
      'self-test': { type: 'boolean', default: false },
      only: { type: 'string' }, // of the self-test: bugs whose name begins so
      verify: { type: 'string' },
      compare: { type: 'boolean', default: false },
    },
  });
  if (values.verify !== undefined) return verify(values.verify);
  const minutes = number(values.minutes, '--minutes');
  const seed = number(values.seed, '--seed');
  const runDir = join(
    ROOT,
    '.local/prove',
    `${nowDate().toISOString().slice(0, 19).replaceAll(':', '')}-${seed}`,
  );
  if (values['self-test']) return selfTest({ root: ROOT, runDir, seed, only: values.only ?? null, log });
  log(`${minutes} minutes with seed ${seed}, in ${runDir}`);
  if (values.compare)
    return compareAll({ root: ROOT, seed, seconds: minutes * 60, folder: runDir, say: log });
  await runOnce({ seed, minutes, folder: ROOT, bug: null, runDir, log });
  const { findings, passed } = await writeReport(runDir);
  for (const { rule, about, what } of findings.slice(0, SHOWN)) log(`BROKEN ${rule}: ${about}: ${what}`);
  log(passed ? 'every promise was kept' : `${findings.length} findings`);
  log(
    `report: ${join(runDir, 'report.html')}; the same again: npm run prove -- --minutes ${minutes} --seed ${seed}`,
  );
  return passed;
}

function verify(file: string): boolean {
  const problems = verifyReport(file);
  for (const problem of problems) log(problem);
  if (problems.length === 0) log(`${file} is what was written at the end of the run`);
  return problems.length === 0;
}

// Nobody chooses it: the day decides.
function seedOfToday(): string {
  return utcDay(nowDate()).replaceAll('-', '');
}

function number(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${option} is a number above 0`);
  return value;
}

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}
