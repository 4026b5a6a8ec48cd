// What `npm run test:nightly` prints before and after it runs.

import { runCost } from './choose-runs.ts';
import { FORMS, runName, type FormName, type Run } from './forms.ts';
import type { Row } from './results-table.ts';
import type { Outcome } from './run-form.ts';

/** The plan: how many runs of each form, and how long they took before. */
export function planText(chosen: readonly Run[], rows: ReadonlyMap<string, Row>): string {
  const lines = byForm(chosen).map(([form, runs]) => {
    const unknown = runs.filter((run) => !rows.has(runName(run))).length;
    const seconds = runs.reduce((sum, run) => sum + runCost(run, rows), FORMS[form].startSeconds);
    return `${form}: ${count(runs.length, 'run')}, about ${Math.ceil(seconds / 60)} min${unknown > 0 ? ` (${unknown} without a recorded time)` : ''}\n`;
  });
  return lines.join('');
}

/** One line for each run that ran. */
export function outcomeText(outcomes: readonly Outcome[]): string {
  return outcomes
    .map(
      ({ run, result, seconds }) =>
        `${result.padEnd(7)} ${seconds.toFixed(0).padStart(5)} s  ${runName(run)}\n`,
    )
    .join('');
}

/** When each run last ran: the runs of one day and one form in one line. A form that never ran is only counted. */
export function lastRunText(runs: readonly Run[], rows: ReadonlyMap<string, Row>): string {
  const sizes = new Map(byForm(runs).map(([form, all]) => [form, all.length]));
  const names = (form: FormName, some: Run[], day: string) =>
    day === 'never' && some.length === sizes.get(form) ? 'all' : some.map(shortName).join(', ');
  const days = Map.groupBy(runs, (run) => rows.get(runName(run))?.day ?? 'never');
  const sorted = [...days].toSorted(([a], [b]) => (a < b ? 1 : -1));
  return sorted
    .flatMap(([day, all]) =>
      byForm(all).map(([form, some]) => `${day}  ${form} (${some.length}): ${names(form, some, day)}\n`),
    )
    .join('');
}

/** The last line: the tests of all runs. */
export function totalText(outcomes: readonly Outcome[], broken: number): string {
  const sum = (what: 'passed' | 'failed' | 'skipped') =>
    outcomes.reduce((total, outcome) => total + outcome[what], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed') + broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The runs of each form, forms in their order. */
export function byForm(runs: readonly Run[]): [FormName, Run[]][] {
  const groups = Map.groupBy(runs, ({ form }) => form);
  return (Object.keys(FORMS) as FormName[]).flatMap((form) => {
    const some = groups.get(form);
    return some ? [[form, some] as [FormName, Run[]]] : [];
  });
}

/** `1 run`, `2 runs`. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function shortName({ file }: Run): string {
  return file.replace(/^test\//, '').replace(/\.test\.ts$/, '');
}
