// What is chosen for a number of minutes, or for the minute of `npm run test:near`.

import { expect, test } from 'vitest';

import { commitOfYesterday } from '../../../../local/tests/changes.ts';
import { chooseNear, nounOf } from '../../../../local/tests/choose-near.ts';
import { affectedRuns, chooseRuns, type Choice } from '../../../../local/tests/choose-runs.ts';
import { allRuns, namedRuns, runName, type Run } from '../../../../local/tests/forms.ts';
import { readTable, writeTable, type Row } from '../../../../local/tests/results-table.ts';

const RUNS: Run[] = ['a', 'b', 'c', 'd'].map((name) => ({
  file: `test/nightly/${name}.test.ts`,
  form: 'plain',
}));
const [A, B, C, D] = RUNS as [Run, Run, Run, Run];
const LONG = `import { longForm } from '../harness/form.ts';`;
const MINUTE: Partial<Row> = { day: '2026-11-01', result: 'passed', seconds: 60 };

function choose(more: Partial<Choice>, rows: [Run, Partial<Row>][] = []) {
  const known = [...RUNS.map((run) => [run, {}] as const), ...rows].map(([run, row]) => {
    const name = runName(run);
    return [name, { ...MINUTE, ...row, run: name } as Row] as const;
  });
  const choice = { runs: RUNS, affected: new Map(), committedAt: 0, minutes: 10, ...more };
  return chooseRuns({ ...choice, rows: new Map(known) });
}

test('affected runs come first, then the others from where the date of the commit points', () => {
  expect(choose({ affected: new Map([[C, 1]]), committedAt: 1 }).chosen).toEqual([C, B, D, A]);
  expect(choose({ affected: new Map([[C, 1]]), committedAt: 8 }).chosen).toEqual([C, A, B, D]);
});

test('near ones come before far ones, and among equals what ran longest ago', () => {
  const affected = new Map([
    [A, 5],
    [B, 2],
    [C, 1],
    [D, 1],
  ]);
  expect(choose({ affected }, [[D, { day: '2026-10-01' }]]).chosen).toEqual([D, B, C, A]);
});

test('what does not fit is left out, and named when it is affected', () => {
  const { chosen, unfit } = choose(
    {
      affected: new Map([
        [A, 1],
        [B, 1],
      ]),
      minutes: 2.5,
    }, // the start of the form takes 10 s
    [[A, { seconds: 3600 }]],
  );
  expect(chosen).toEqual([B, C]);
  expect(unfit).toEqual([A]);
});

test('files without a recorded time are assumed to take some', () => {
  const { chosen } = chooseRuns({
    ...{ runs: RUNS, affected: new Map(), rows: new Map(), committedAt: 0, minutes: 9 },
  });
  expect(chosen).toEqual([A, B]);
});

test('a form is affected by the files that it is about, by its own file, and by what is under every test', () => {
  const plain: Run = { file: 'test/flow/a.test.ts', form: 'plain' };
  const cluster: Run = { ...plain, form: 'cluster' };
  const graph = new Map([['test/flow/a.test.ts', new Set(['core/a.ts', 'core/clients/redis.ts'])]]);
  const affected = (...changed: string[]) => [...affectedRuns(graph, [plain, cluster], changed).keys()];
  expect(affected('core/a.ts')).toEqual([plain]);
  expect(affected('core/clients/redis.ts')).toEqual([plain, cluster]);
  expect(affected('test/flow/a.test.ts')).toEqual([plain, cluster]);
  expect(affected('package-lock.json')).toEqual([plain, cluster]);
  expect(affected('core/b.ts')).toEqual([]);
});

test('every file has its forms, and arguments limit them', () => {
  const files = ['flow/a', 'nightly/start', 'fuzz/c', 'browser/d', 'unit/e'];
  const runs = allRuns(
    files.map((name) => ({ file: `test/${name}.test.ts`, text: name === 'fuzz/c' ? LONG : '' })),
    ['test/unit/e.test.ts'],
  );
  expect(runs.map(runName)).toEqual([
    'test/nightly/start.test.ts',
    'long test/fuzz/c.test.ts',
    'cluster test/flow/a.test.ts',
    'schemas test/flow/a.test.ts',
    'schemas test/nightly/start.test.ts',
    'citus test/flow/a.test.ts',
  ]);
  expect(namedRuns(runs, ['cluster']).map(runName)).toEqual(['cluster test/flow/a.test.ts']);
  expect(namedRuns(runs, ['schemas', 'nightly/start']).map(runName)).toEqual([
    'schemas test/nightly/start.test.ts',
  ]);
  expect(namedRuns(runs, ['start', 'fuzz'])).toHaveLength(3);
});

test('the table is read as it was written, sorted by name', () => {
  const rows: Row[] = [
    { run: 'test/nightly/b.test.ts', day: '2026-11-28', result: 'failed', seconds: 12.4 },
    { run: 'long test/fuzz/c.test.ts', day: '2026-11-27', result: 'passed', seconds: 300 },
  ];
  const text = writeTable(rows);
  expect(text).toContain('| test/nightly/b.test.ts | 2026-11-28 | failed | 12 |\n');
  expect([...readTable(text).values()]).toEqual([rows[1], { ...rows[0], seconds: 12 }]);
});

test('the commit to compare with is a day older than HEAD, or the oldest there', () => {
  const at = (id: string, hours: number) => ({ id, at: 1_000_000 + hours * 3600 });
  expect(commitOfYesterday([at('head', 30), at('near', 7), at('old', 5), at('older', 1)]).id).toBe('old');
  expect(commitOfYesterday([at('head', 30), at('near', 7)]).id).toBe('near');
  expect(commitOfYesterday([at('head', 30)]).id).toBe('head');
});

test('the minute goes to tests that changed, then to those with the noun in their names, then to the nearest', () => {
  const distances = new Map([
    ['test/flow/far.test.ts', 6],
    ['test/flow/suppressions.test.ts', 5],
    ['test/flow/direct.test.ts', 1],
    ['test/flow/changed.test.ts', 0],
  ]);
  const near = chooseNear({
    tests: [...distances.keys(), 'test/flow/other.test.ts'],
    changed: ['core/suppression/suppression-store.ts', 'test/flow/changed.test.ts'],
    distances,
    secondsOf: (test) => (test.includes('suppressions') ? 4 : undefined),
    seconds: 12,
    unknownSeconds: 10,
    workers: 1,
  });
  expect(near.chosen).toEqual(['test/flow/changed.test.ts']);
  expect(near.left).toEqual([
    'test/flow/suppressions.test.ts',
    'test/flow/direct.test.ts',
    'test/flow/far.test.ts',
  ]);
});

test('nouns are the folder of core and the name of the file, without plural and role', () => {
  expect(nounOf('core/suppression/suppressions.ts')).toEqual(['suppression', 'suppression']);
  expect(nounOf('core/contact/contact-store.ts')).toEqual(['contact', 'contact']);
  expect(nounOf('core/db/pool.ts')).toEqual(['pool']);
  expect(nounOf('sender/main.ts')).toEqual([]);
});
