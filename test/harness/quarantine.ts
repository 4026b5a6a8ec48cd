// Test files that `npm test` and `npm run test:nightly` leave out for a while: test/quarantine.json names each with its date,
// its reason and its issue. test/unit/project/quarantine.test.ts keeps the list short.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One file that is left out. */
export interface Quarantined {
  file: string;
  /** The day on which it was put here, `YYYY-MM-DD` in UTC. */
  since: string;
  reason: string;
  issue: string;
}

const LIST = join(import.meta.dirname, '../quarantine.json');

/** The files in quarantine. */
export const QUARANTINE = JSON.parse(readFileSync(LIST, 'utf8')) as Quarantined[];

/** Those that a run leaves out: a file that the command line names runs all the same. */
export function quarantinedFiles(args: readonly string[] = process.argv): string[] {
  return QUARANTINE.map(({ file }) => file).filter((file) => !args.includes(file));
}

/** What a run prints about them; empty where there is none. */
export function quarantineReport(): string {
  return QUARANTINE.map(
    ({ file, since, reason }) => `in quarantine: ${file}, since ${since}: ${reason}\n`,
  ).join('');
}
