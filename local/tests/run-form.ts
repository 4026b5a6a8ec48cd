// Runs the chosen files of one form in one vitest, and says what each came to.

import { join } from 'node:path';

import { FORMS, type FormName, type Run } from './forms.ts';
import { clearCosts, readCosts, runVitest } from './run-vitest.ts';
import type { Row } from './results-table.ts';

/** What a run came to, with its tests counted. */
export interface Outcome {
  run: Run;
  result: Row['result'];
  seconds: number;
  passed: number;
  failed: number;
  skipped: number;
  failures: readonly string[];
}

/** The outcomes of one form's runs; `isBroken` when vitest failed and no file did. */
export async function runForm(root: string, form: FormName, runs: readonly Run[]) {
  const costs = join(root, '.local/nightly', `${form}.json`);
  clearCosts(costs);
  const { env, workers } = FORMS[form];
  const isOk = await runVitest({
    root,
    files: runs.map(({ file }) => file),
    args: [`--maxWorkers=${workers}`],
    env,
    costs,
    what: `form ${form}, ${runs.length} files`,
  });
  const found = readCosts(root, costs);
  const outcomes = runs.map((run) => outcomeOf(run, found.get(run.file)));
  return { outcomes, isBroken: !isOk && outcomes.every(({ failed }) => failed === 0) };
}

function outcomeOf(run: Run, cost = didNotEnd(run)): Outcome {
  const { seconds, passed, failed, skipped, failures } = cost;
  const result = failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'skipped';
  return { run, result, seconds, passed, failed, skipped, failures };
}

// A file without a record counts as one failed test.
function didNotEnd({ file }: Run): Omit<Outcome, 'run' | 'result'> {
  return { seconds: 0, passed: 0, failed: 1, skipped: 0, failures: [`${file} did not end`] };
}
