import { expect, test } from 'vitest';

import { readMigrations, statementsOf } from '../../../core/db/migrator/migration-files.ts';

test('statements end with a semicolon at the end of a line, but for those in the body of a function', () => {
  const body = 'CREATE FUNCTION f() RETURNS int AS $$\nBEGIN\n  PERFORM 1;\n  RETURN 1;\nEND $$;';
  expect(statementsOf(`-- first;\nALTER TABLE t ADD c int;\n\n${body}\n`).map((one) => one.trim())).toEqual([
    'ALTER TABLE t ADD c int',
    body.slice(0, -1),
  ]);
});

test('a step has one statement, but for the two that move the rows of a table', () => {
  const several = readMigrations().flatMap(({ tag, steps }) =>
    steps.filter(({ sql }) => statementsOf(sql).length !== 1).map(() => tag),
  );
  expect(several).toEqual(['0009_memberships', '0017_webhook_endpoints']);
});

test('no step names a schema: tables are wherever the connection looks', () => {
  const named = readMigrations().flatMap(({ steps }) => steps.filter(({ sql }) => /\bpublic"?\./.test(sql)));
  expect(named).toEqual([]);
});
