// What a step of a migration is taken for, and that the files keep to what the migrator can do beside services at work.

import { expect, test } from 'vitest';

import { readMigrations, readStep } from '../../../core/db/migrator/migration-files.ts';

test.each([
  ['ALTER TABLE a ADD COLUMN b text;', 'ddl'],
  ['-- why\nDROP INDEX a;', 'ddl'],
  ['ALTER TABLE a VALIDATE CONSTRAINT b;', 'rows'],
  ['INSERT INTO a SELECT 1;', 'rows'],
  ['-- repeated\nUPDATE a SET b = 1 WHERE c IN (SELECT c FROM a LIMIT 2000);', 'repeated'],
  ['CREATE UNIQUE INDEX "a_b" ON "a" USING btree ("b") WHERE c is null;', 'index'],
])('%s', (sql, kind) => {
  expect(readStep(sql).kind).toBe(kind);
});

test('an index is read in parts', () => {
  expect(readStep('CREATE UNIQUE INDEX a_b ON a (b)\n\tWHERE c IS NULL;')).toMatchObject({
    index: { unique: true, name: 'a_b', table: 'a', rest: '(b)\n\tWHERE c IS NULL' },
  });
});

test('no file hides an index in a longer step, or repeats a batch without an end', () => {
  const steps = readMigrations().flatMap(({ tag, steps: all }) => all.map((step) => ({ tag, ...step })));
  const hidden = steps.filter(
    ({ kind, sql }) => kind !== 'index' && /^\s*create (unique )?index/im.test(sql),
  );
  expect(hidden).toEqual([]);
  expect(steps.filter(({ kind, sql }) => kind === 'repeated' && !/\blimit \d+/i.test(sql))).toEqual([]);
});
