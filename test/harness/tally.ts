// What a run prints last: its most expensive files, and in the last line how many tests passed and failed, for whoever reads
// only the end of a log. What each file cost is written to .local/test-cost.json.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import type { Reporter, TestModule, TestSuite } from 'vitest/node';

const COSTS = join(import.meta.dirname, '../../.local/test-cost.json');
const SHOWN = 10;

/** One file's cost. */
interface Cost {
  file: string;
  cpuSeconds: number;
  seconds: number;
}

/**
 * Prints the ten files that took most of the CPU (children included) when there were as many, and `N passed, N failed`,
 * with what was skipped, when everything else has been printed.
 */
export class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly unknown[]): void {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string) => states.filter((one) => one === state).length;
    // A file that did not load, or a hook that threw, has no failed test to be counted by.
    const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]).filter(hasErrors);
    const failed = count('failed') + broken.length + strayErrors.length;
    const skipped = states.length - count('passed') - count('failed');
    const costs = modules.map(costOf).sort((a, b) => b.cpuSeconds - a.cpuSeconds);
    if (costs.length > SHOWN) printCosts(costs);
    const line = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.once('exit', () => console.log(line));
  }
}

function hasErrors(one: TestModule | TestSuite): boolean {
  return one.errors().length > 0;
}

function costOf(module: TestModule): Cost {
  return {
    file: relative('.', module.moduleId),
    cpuSeconds: module.meta().cpuSeconds ?? 0,
    seconds: module.diagnostic().duration / 1000,
  };
}

function printCosts(costs: Cost[]): void {
  const all = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  console.log(`\nCPU: ${all.toFixed(0)} s in ${costs.length} files. The most expensive:`);
  for (const { file, cpuSeconds, seconds } of costs.slice(0, SHOWN)) {
    console.log(`${cpuSeconds.toFixed(1).padStart(7)} s CPU ${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }
  mkdirSync(dirname(COSTS), { recursive: true });
  writeFileSync(COSTS, `${JSON.stringify(costs, null, 1)}\n`);
}
