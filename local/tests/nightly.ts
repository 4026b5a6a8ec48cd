// `npm run test:nightly [-- [FORM|FILE]... [--minutes N] [--since COMMIT] [--list]]`: the tests that take too long for `npm
// test`. Without options all of them; with --minutes those that a change affects, then a share of the others.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { monotonicMs, nowDate, utcDay } from '../../core/base/clock.ts';
import { quarantinedFiles, quarantineReport } from '../../test/harness/quarantine.ts';
import { findCitus } from '../servers/citus-binary.ts';
import { failureText } from '../../test/harness/tally.ts';
import { changedSince, commitOfYesterday, recentCommits } from './changes.ts';
import { affectedRuns, chooseRuns, type Chosen } from './choose-runs.ts';
import { allRuns, namedRuns, runName, type FormName, type Run } from './forms.ts';
import { byForm, count, lastRunText, outcomeText, planText, totalText } from './nightly-report.ts';
import { readProject, projectGraph, readScripts } from './project-graph.ts';
import { readTable, writeTable, type Row } from './results-table.ts';
import { runForm, type Outcome } from './run-form.ts';

const ROOT = join(import.meta.dirname, '../..');
const TABLE = join(ROOT, 'test/nightly/RESULTS.md');

const PART = 8; // runs: two or three minutes

const startedAt = monotonicMs();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    since: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
const minutes = values.minutes === undefined ? Infinity : Number(values.minutes);
if (Number.isNaN(minutes) || minutes < 0) throw new Error('--minutes must be a number');
process.exit(await main());

async function main(): Promise<number> {
  const rows = existsSync(TABLE) ? readTable(readFileSync(TABLE, 'utf8')) : new Map<string, Row>();
  const all = allRuns(readProject(ROOT), quarantinedFiles());
  const missing = await formsMissing();
  const runs = namedRuns(
    all.filter(({ form }) => !missing.has(form)),
    positionals,
  );
  if (runs.length === 0) throw new Error(`no run has such a name: ${positionals.join(' ')}`);
  const { chosen, unfit } = minutes === Infinity ? { chosen: runs, unfit: [] } : choose(runs, rows);
  console.log(planText(chosen, rows) || 'No run fits in this time.');
  if (values.list) {
    for (const run of chosen) console.log(runName(run));
    return 0;
  }
  const { outcomes, late, broken } = await runAll(chosen, rows);
  console.log(`\n${outcomeText(outcomes)}`);
  for (const run of [...unfit, ...late]) console.log(`no time left: ${runName(run)}`);
  for (const [form, reason] of missing) console.log(`cannot run here: ${form}: ${reason}`);
  for (const form of broken) console.log(`vitest failed without a failed file: ${form}`);
  if (positionals.length === 0) console.log(`\nlast runs:\n${lastRunText(all, rows)}`);
  console.log(`${quarantineReport()}${failureText(outcomes)}${totalText(outcomes, broken.length)}`);
  return broken.length > 0 || outcomes.some(({ failed }) => failed > 0) ? 1 : 0;
}

function choose(runs: readonly Run[], rows: ReadonlyMap<string, Row>): Chosen {
  const commits = recentCommits(ROOT);
  const since = values.since ?? commitOfYesterday(commits).id;
  const changed = changedSince(ROOT, since);
  const graph = projectGraph(readProject(ROOT, changed), readScripts(ROOT));
  const affected = affectedRuns(graph, runs, changed);
  const files = count(changed.length, 'file');
  console.log(
    `${files} changed since ${since.slice(0, 12)}: ${affected.size} of ${count(runs.length, 'run')} affected`,
  );
  return chooseRuns({ runs, affected, rows, committedAt: commits[0]!.at, minutes });
}

/** Runs form after form, and keeps the table after each. */
async function runAll(chosen: readonly Run[], rows: Map<string, Row>) {
  const outcomes: Outcome[] = [];
  const late: Run[] = [];
  const broken: FormName[] = [];
  for (const [form, runs] of byForm(chosen).flatMap(inParts)) {
    if (monotonicMs() - startedAt > minutes * 60_000) {
      late.push(...runs);
      continue;
    }
    console.log(`\n${form}: ${count(runs.length, 'run')}`);
    const done = await runForm(ROOT, form, runs);
    if (done.isBroken) broken.push(form);
    outcomes.push(...done.outcomes);
    keep(done.outcomes, rows);
  }
  return { outcomes, late, broken };
}

// The time is looked at before each part; without a limit the servers of a form start once.
function inParts([form, runs]: [FormName, Run[]]): [FormName, Run[]][] {
  const size = minutes === Infinity ? runs.length : PART;
  return runs.flatMap((_, at) =>
    at % size === 0 ? [[form, runs.slice(at, at + size)] as [FormName, Run[]]] : [],
  );
}

function keep(outcomes: readonly Outcome[], rows: Map<string, Row>): void {
  const day = utcDay(nowDate());
  for (const { run, result, seconds } of outcomes) {
    const name = runName(run);
    rows.set(name, { run: name, day, result, seconds });
  }
  mkdirSync(join(TABLE, '..'), { recursive: true });
  writeFileSync(TABLE, writeTable(rows.values()));
}

/** The forms that this machine has no servers for, with the reason. */
async function formsMissing(): Promise<Map<FormName, string>> {
  const citus = await findCitus(join(ROOT, '.local/test'));
  return new Map(typeof citus === 'string' ? [['citus', citus]] : []);
}
