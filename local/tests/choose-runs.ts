// Which runs of the nightly lane fit in a number of minutes: those that a change affects, then a share of the others. Where
// the share begins follows from the date of the commit, so that over many commits all are reached and nothing is stored.

import { FORMS, isNightly, runName, type Run } from './forms.ts';
import { distancesTo, type Graph } from './import-graph.ts';
import { underAllTests } from './project-graph.ts';
import type { Row } from './results-table.ts';

/** What is known when runs are chosen. */
export interface Choice {
  runs: readonly Run[];
  /** Steps from each run to what changed; a run without a number is not affected. */
  affected: ReadonlyMap<Run, number>;
  /** The last result of each run, by its name. */
  rows: ReadonlyMap<string, Row>;
  /** Seconds since the epoch: the date of the commit. */
  committedAt: number;
  minutes: number;
}

/** The runs to run, and the affected ones for which no time is left. */
export interface Chosen {
  chosen: Run[];
  unfit: Run[];
}

const NEAR_STEPS = 2; // imports the changed file, or starts the service that it belongs to
const FAR_STEPS = 9; // stands on it as all tests do

/** Chooses runs until the minutes are used up. */
export function chooseRuns(choice: Choice): Chosen {
  const { runs, affected, rows, committedAt, minutes } = choice;
  const rotated = rotate(runs, committedAt);
  const first = rotated.filter((run) => affected.has(run)).toSorted((a, b) => compare(a, b));
  const others = rotated.filter((run) => !affected.has(run));
  const chosen = new Set<Run>();
  let left = minutes * 60;
  for (const run of [...first, ...others]) {
    const isStarted = [...chosen].some(({ form }) => form === run.form);
    const needs = runCost(run, rows) + (isStarted ? 0 : FORMS[run.form].startSeconds);
    if (needs > left) continue;
    chosen.add(run);
    left -= needs;
  }
  return { chosen: [...chosen], unfit: first.filter((run) => !chosen.has(run)) };

  // Near ones before far ones, then what ran longest ago; the rotation decides among equals.
  function compare(a: Run, b: Run): number {
    return (
      Number(affected.get(a)! > NEAR_STEPS) - Number(affected.get(b)! > NEAR_STEPS) ||
      lastRun(a, rows).localeCompare(lastRun(b, rows))
    );
  }
}

/** Steps from each affected run to the nearest changed file that its form is about. */
export function affectedRuns(
  graph: Graph,
  runs: readonly Run[],
  changed: readonly string[],
): Map<Run, number> {
  const byForm = Object.entries(FORMS).map(
    ([form, { isAbout }]) => [form, distancesTo(graph, changed.filter(isAbout))] as const,
  );
  const distances = new Map(byForm);
  const far = underAllTests(changed).length > 0 ? FAR_STEPS : undefined;
  const steps = (run: Run) =>
    changed.includes(run.file) ? 0 : (distances.get(run.form)?.get(run.file) ?? far);
  return new Map(runs.flatMap((run) => (steps(run) === undefined ? [] : [[run, steps(run)!] as const])));
}

/** The seconds that a run adds to all: files of one form share its workers. A form that never ran takes what the file takes. */
export function runCost(run: Run, rows: ReadonlyMap<string, Row>): number {
  const { workers, unknownSeconds } = FORMS[isNightly(run.file) && run.form !== 'long' ? 'plain' : run.form];
  const known = rows.get(runName(run)) ?? rows.get(run.file);
  return known ? known.seconds / FORMS[run.form].workers : unknownSeconds / workers;
}

function rotate(runs: readonly Run[], committedAt: number): Run[] {
  const start = runs.length === 0 ? 0 : committedAt % runs.length;
  return [...runs.slice(start), ...runs.slice(0, start)];
}

function lastRun(run: Run, rows: ReadonlyMap<string, Row>): string {
  return rows.get(runName(run))?.day ?? '';
}
