// `npm run prove -- --minutes 20 [--seed N] [--self-test]`: load and faults against everything that ships, and an auditor
// who sees only what clients and receivers see (docs/proof.md). Ends with 1 when a promise was broken.

import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { nowDate, utcDay } from '../core/base/clock.ts';
import { runOnce } from './prove.ts';
import { writeReport } from './report/write-report.ts';

const ROOT = join(import.meta.dirname, '..');
const SHOWN = 20;

process.exitCode = (await main()) ? 0 : 1;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '20' }, seed: { type: 'string', default: seedOfToday() } },
  });
  const minutes = number(values.minutes, '--minutes');
  const seed = number(values.seed, '--seed');
  const runDir = join(
    ROOT,
    '.local/prove',
    `${nowDate().toISOString().slice(0, 19).replaceAll(':', '')}-${seed}`,
  );
  log(`${minutes} minutes with seed ${seed}, in ${runDir}`);
  await runOnce({ seed, minutes, folder: ROOT, bug: null, runDir, log });
  const { findings, passed } = await writeReport(runDir);
  for (const { rule, about, what } of findings.slice(0, SHOWN)) log(`BROKEN ${rule}: ${about}: ${what}`);
  log(passed ? 'every promise was kept' : `${findings.length} findings`);
  log(
    `report: ${join(runDir, 'report.html')}; the same again: npm run prove -- --minutes ${minutes} --seed ${seed}`,
  );
  return passed;
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
