// What a run prints last: its most expensive files, and in the last line how many tests passed and failed, for whoever reads
// only the end of a log. What each file cost and how it ended is kept in .local/test-cost.json, or in the file TEST_COSTS.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import type { Reporter, TestModule, TestSuite } from 'vitest/node';

import { quarantineReport } from './quarantine.ts';

const COSTS = process.env['TEST_COSTS'] ?? join(import.meta.dirname, '../../.local/test-cost.json');
const SHOWN = 10;

/** One file's cost, and how many of its tests ended how. */
export interface Cost {
  file: string;
  cpuSeconds: number;
  seconds: number;
  passed: number;
  failed: number;
  skipped: number;
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
    const [failed, skipped] = [count('failed') + strayErrors.length, count('skipped')];
    const line = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.once('exit', () => console.log(`${quarantineReport()}${line}`));
  }
}

function hasErrors(one: TestModule | TestSuite): boolean {
  return one.errors().length > 0;
}

function costOf(module: TestModule): Cost {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  const count = (state: string) => states.filter((one) => one === state).length;
  // A file that did not load, or a hook that threw, has no failed test to be counted by.
  const broken = [module, ...module.children.allSuites()].filter(hasErrors).length;
  return {
    file: relative('.', module.moduleId),
    cpuSeconds: module.meta().cpuSeconds ?? 0,
    seconds: module.diagnostic().duration / 1000,
    passed: count('passed'),
    failed: count('failed') + broken,
    skipped: states.length - count('passed') - count('failed'),
  };
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

function printCosts(costs: Cost[]): void {
  const all = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  console.log(`\nCPU: ${all.toFixed(0)} s in ${costs.length} files. The most expensive:`);
  for (const { file, cpuSeconds, seconds } of costs.slice(0, SHOWN)) {
    console.log(`${cpuSeconds.toFixed(1).padStart(7)} s CPU ${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }
}
