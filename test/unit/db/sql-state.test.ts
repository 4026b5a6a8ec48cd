// Which refusals of PostgreSQL are recognised, thrown by pg or wrapped by drizzle.

import { expect, test } from 'vitest';

import { isForeignKeyViolation, isUniqueViolation, sqlState } from '../../../core/db/sql-state.ts';

const thrown = (code: string) => Object.assign(new Error('refused'), { code });

test('a unique violation is known, also as the cause that drizzle wraps', () => {
  expect(isUniqueViolation(thrown('23505'))).toBe(true);
  expect(isUniqueViolation(new Error('Failed query', { cause: thrown('23505') }))).toBe(true);
  expect(isUniqueViolation(thrown('23503'))).toBe(false);
});

test('a foreign key violation is known', () => {
  expect(isForeignKeyViolation(new Error('Failed query', { cause: thrown('23503') }))).toBe(true);
  expect(isForeignKeyViolation(thrown('23505'))).toBe(false);
});

test('what Citus met on another node is known by its text', () => {
  const met = (message: string) => Object.assign(new Error(message), { code: 'XX000' });
  expect(
    isForeignKeyViolation(met('insert or update on table "a_102026" violates foreign key constraint "b"')),
  ).toBe(true);
  expect(isUniqueViolation(met('duplicate key value violates unique constraint "a_pkey_102026"'))).toBe(true);
  expect(sqlState(met('something else'))).toBe('XX000');
});

test('what is no error of PostgreSQL has no state', () => {
  expect(sqlState(thrown('ECONNREFUSED'))).toBeNull();
  expect(sqlState(new Error('Failed query', { cause: new Error('socket closed') }))).toBeNull();
  expect(sqlState('23505')).toBeNull();
});
