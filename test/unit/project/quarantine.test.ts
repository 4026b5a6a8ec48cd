// The quarantine stays small and short: every entry names a file, a reason and an issue, and none becomes old.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { QUARANTINE, quarantinedFiles, type Quarantined } from '../../harness/quarantine.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MOST_FILES = 5;
const MOST_DAYS = 14;
const DAY_MS = 86_400_000;

test('at most five files are in quarantine, each for at most two weeks', () => {
  expect(problems(QUARANTINE, new Date())).toEqual([]);
});

test('too many, an old one, one of tomorrow, and one without a file or an issue are found', () => {
  const good = {
    file: 'test/unit/project/quarantine.test.ts',
    since: '2026-11-20',
    reason: 'x',
    issue: '#1',
  };
  const now = new Date('2026-12-04T12:00:00Z');
  expect(problems([good], now)).toEqual([]);
  expect(problems([{ ...good, since: '2026-11-19' }], now)).toHaveLength(1);
  expect(problems([{ ...good, since: '2026-12-05' }], now)).toHaveLength(1);
  expect(problems([{ ...good, since: 'yesterday' }], now)).toHaveLength(1);
  expect(problems([{ ...good, file: 'test/flow/none.test.ts' }], now)).toHaveLength(1);
  expect(problems([{ ...good, issue: '' }], now)).toHaveLength(1);
  expect(problems([good, good, good, good, good, good], now)).toHaveLength(1);
});

test('a file that the command line names runs all the same', () => {
  expect(quarantinedFiles(QUARANTINE.map(({ file }) => file))).toEqual([]);
});

function problems(list: readonly Quarantined[], now: Date): string[] {
  const wrong = list.filter(({ file, since, reason, issue }) => {
    const days = Math.floor((now.getTime() - Date.parse(since)) / DAY_MS);
    const isInTime = days >= 0 && days <= MOST_DAYS;
    return !(isInTime && existsSync(join(ROOT, file)) && reason !== '' && issue !== '');
  });
  const tooMany = list.length > MOST_FILES ? [`${list.length} files`] : [];
  return [...tooMany, ...wrong.map(({ file, since }) => `${file} (since ${since})`)];
}
