// The last line of a run's output: how many tests passed and failed, for whoever reads only the end of a log.

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

import type { Reporter, TestModule, TestSuite } from 'vitest/node';

/**
 * Prints `N passed, N failed`, and how many were skipped if any, when everything else has been printed. Writes the files
 * that failed, a line each, to the file that FAILED_TEST_FILES names (.ci/run); none after an error outside of all files.
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
    const line = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.once('exit', () => console.log(line));
    const list = process.env['FAILED_TEST_FILES'];
    if (list !== undefined && strayErrors.length === 0) writeFileSync(list, failedFiles(modules).join(''));
  }
}

function hasErrors(one: TestModule | TestSuite): boolean {
  return one.errors().length > 0;
}

function failedFiles(modules: readonly TestModule[]): string[] {
  const failed = modules.filter((module) => module.state() === 'failed');
  return failed.map((module) => `${relative('.', module.moduleId)}\n`);
}
