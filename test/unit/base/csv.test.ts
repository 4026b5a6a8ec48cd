// Cells as a spreadsheet reads them, and never as it would run them.

import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';

import { csvRow } from '../../../core/base/csv.ts';

test.each([
  '=1+1',
  '+49 30',
  '-2',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1+1',
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("x","y")',
])('a text that begins a formula gets an apostrophe: %j', (text) => {
  expect(parse(csvRow([text, 'b']))).toEqual([[`'${text}`, 'b']]);
});

test('other cells are read back as they were', () => {
  const texts = ['plain', 'a,b', 'say "x"', 'two\nlines', 'two\r\nlines', 'a=b', ' =1', '💌'];
  expect(parse(csvRow(texts), { record_delimiter: '\r\n' })).toEqual([texts]);
});

test('numbers, times and what is not there', () => {
  expect(csvRow([-2, 0.5, true, null, undefined, '', new Date(0)])).toBe(
    '-2,0.5,true,,,,1970-01-01T00:00:00.000Z\r\n',
  );
});
