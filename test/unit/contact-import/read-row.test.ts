import { expect, test } from 'vitest';

import type { CsvColumn } from '../../../core/contact-import/csv-layout.ts';
import { readCells, readJsonContact } from '../../../core/contact-import/read-row.ts';

const columns: CsvColumn[] = [
  { field: 'email' },
  { field: 'first_name' },
  { field: 'tags' },
  { field: 'status' },
  { attribute: 'city' },
];

test('reads cells; an empty cell leaves its field unset', () => {
  const read = readCells([' Ann@Example.NET ', 'Ann', 'vip|new', 'Unsubscribed', ''], columns);
  expect(read).toEqual({
    ok: true,
    contact: {
      email: 'Ann@example.net',
      emailKey: 'ann@example.net',
      firstName: 'Ann',
      lastName: null,
      attributes: {},
      tags: ['vip', 'new'],
      status: 'unsubscribed',
      suppress: null,
      suppressedAt: null,
    },
  });
});

test('a formula is a text like any other', () => {
  const read = readCells(['a@b.co', '=1+1', '', '', "=cmd|' /C calc'!A0"], columns);
  expect(read.ok && read.contact.attributes).toEqual({ city: "=cmd|' /C calc'!A0" });
});

test.each([
  [['', 'Ann', '', '', ''], 'email is required'],
  [['not an address', '', '', '', ''], /email is not an address/],
  [['a@b.co'], 'has 1 cells where the header has 5'],
  [['a@b.co', 'A\nB', '', '', ''], /first_name has a line break/],
  [['a@b.co', 'x'.repeat(201), '', '', ''], /at most 200/],
  [['a@b.co', '', '', 'maybe', ''], /status must be one of/],
  [['a@b.co', '', '', '', 'a\0b'], /city has a character/],
  [['a@b.co', '', '', '', 'a\ufffdb'], /city is not valid UTF-8/],
  [['a@b.co', '', '', '', 'x'.repeat(20_000)], /attributes have more than/],
])('says what is wrong with %j', (cells, message) => {
  const read = readCells(cells, columns);
  expect(read.ok ? '' : read.message).toMatch(message);
});

test('JSON contacts go by the schema of a create', () => {
  expect(readJsonContact({ email: 'a@b.co', attributes: { n: 1 } })).toMatchObject({ ok: true });
  for (const raw of [
    null,
    [],
    'a@b.co',
    {},
    { email: 'a' },
    { email: 'a@b.co', nonsense: 1 },
    { email: 'a@b.co', attributes: JSON.parse('{"__proto__":{"polluted":1}}') as unknown },
    { email: 'a@b.co', attributes: { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } } },
  ]) {
    expect(readJsonContact(raw)).toMatchObject({ ok: false });
  }
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});
