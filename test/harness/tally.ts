// What a run prints last: its most expensive files, and in the last line how many tests passed and failed, for whoever reads
// only the end of a log. What each file cost and how it ended is kept in .local/test-cost.json, or in the file TEST_COSTS.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import type { Reporter, TestModule, TestSuite } from 'vitest/node';

import { quarantineReport } from './quarantine.ts';

const COSTS = process.env['TEST_COSTS'] ?? join(import.meta.dirname, '../../.local/test-cost.json');
const SHOWN = 10;
const TABLE = join(dirname(COSTS), 'test-cost.md');
const IS_PLAIN = ['TEST_FORM', 'TEST_SERVERS', 'TEST_RECORD'].every(
  (name) => process.env[name] === undefined,
);
const MOST_CPU_SECONDS = 20; // of a file of `npm test`: a dearer one is for test/nightly
const MOST_FAILURE_CHARS = 400; // of an error's message: whoever reads the end of a log sees what failed
const NOISE = 1.5; // a busy machine counts up to half as much again for the same work

/** One file's cost, and how many of its tests ended how. */
export interface Cost {
  file: string;
  project: string;
  cpuSeconds: number;
  seconds: number;
  passed: number;
  failed: number;
  skipped: number;
  /** One text for each test or hook that failed: its name and the beginning of its error. */
  failures: readonly string[];
}

/**
 * Prints the ten files that took most of the CPU (children included) when there were as many, and `N passed, N failed`,
 * with what was skipped, when everything else has been printed.
 */
export class Tally implements Reporter {
  // At once: a run that is stopped has the costs of the files that ended.
  onTestModuleEnd(module: TestModule): void {
    keepCosts([costOf(module)]);
  }

  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly unknown[]): void {
    const costs = modules.map(costOf).sort((a, b) => b.cpuSeconds - a.cpuSeconds);
    keepCosts(costs);
    if (costs.length > SHOWN) printCosts(costs);
    const count = (state: 'passed' | 'failed' | 'skipped') =>
      costs.reduce((sum, cost) => sum + cost[state], 0);
    const dear = costs.filter(isTooDear);
    for (const { file } of dear)
      console.log(`failed: ${file} took far more than ${MOST_CPU_SECONDS} s of CPU`);
    if (dear.length > 0) process.exitCode = 1;
    const [failed, skipped] = [count('failed') + strayErrors.length + dear.length, count('skipped')];
    const line = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.once('exit', () => console.log(`${quarantineReport()}${failureText(costs)}${line}`));
  }
}

/** What failed in some files, for the end of a log; nothing when nothing failed. */
export function failureText(costs: readonly Pick<Cost, 'failures'>[]): string {
  return costs.flatMap(({ failures }) => failures.map((failure) => `failed: ${failure}\n`)).join('');
}

function hasErrors(one: TestModule | TestSuite): boolean {
  return one.errors().length > 0;
}

function costOf(module: TestModule): Cost {
  const tests = [...module.children.allTests()];
  const states = tests.map((test) => test.result().state);
  const file = relative('.', module.moduleId);
  const count = (state: string) => states.filter((one) => one === state).length;
  // A file that did not load, or a hook that threw, has no failed test to be counted by.
  const broken = [module, ...module.children.allSuites()].filter(hasErrors);
  const failures = [
    ...broken.map((one) => [one === module ? '' : (one as TestSuite).fullName, one.errors()] as const),
    ...tests.map((test) => [test.fullName, test.result().errors ?? []] as const),
  ].flatMap(([name, [error]]) => (error ? [failureOf(file, name, error.message)] : []));
  return {
    file,
    project: module.project.name,
    cpuSeconds: module.meta().cpuSeconds ?? 0,
    seconds: module.diagnostic().duration / 1000,
    passed: count('passed'),
    failed: count('failed') + broken.length,
    skipped: states.length - count('passed') - count('failed'),
    failures,
  };
}

function failureOf(file: string, name: string, message: string): string {
  return `${file}${name && ` > ${name}`}: ${message.slice(0, MOST_FAILURE_CHARS).replaceAll('\n', ' ')}`;
}

// What other files cost is kept: `npm run test:near` chooses by it.
function keepCosts(costs: Cost[]): void {
  const old = existsSync(COSTS) ? (JSON.parse(readFileSync(COSTS, 'utf8')) as Cost[]) : [];
  const files = new Set(costs.map(({ file }) => file));
  mkdirSync(dirname(COSTS), { recursive: true });
  writeFileSync(
    COSTS,
    `${JSON.stringify([...costs, ...old.filter(({ file }) => !files.has(file))], null, 1)}\n`,
  );
}

function isTooDear({ project, cpuSeconds }: Cost): boolean {
  return project !== 'nightly' && IS_PLAIN && cpuSeconds > MOST_CPU_SECONDS * NOISE;
}

function printCosts(costs: Cost[]): void {
  console.log(`\nCPU: ${sumOf(costs).toFixed(0)} s in ${costs.length} files. The most expensive:`);
  for (const { file, cpuSeconds, seconds } of costs.slice(0, SHOWN)) {
    console.log(`${cpuSeconds.toFixed(1).padStart(7)} s CPU ${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }
  const folders = Map.groupBy(
    costs,
    ({ project, file }) => `${project} | ${file.split('/').slice(0, 2).join('/')}`,
  );
  const lines = [...folders].map(([of, some]) => `| ${of} | ${some.length} | ${sumOf(some).toFixed(0)} |\n`);
  writeFileSync(TABLE, `| project | folder | files | CPU s |\n|---|---|--:|--:|\n${lines.sort().join('')}`);
}

function sumOf(costs: readonly Cost[]): number {
  return costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}
