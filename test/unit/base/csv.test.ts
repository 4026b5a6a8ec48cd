// Cells as a spreadsheet reads them, and never as it would run them.

import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';

import { csvRow } from '../../../core/base/csv.ts';

// A spreadsheet of another country separates cells by `;` or tab, and knows the quotation marks only of a whole cell: its
// first cell runs to the next separator.
const cellsOf = (row: string, separator: string) =>
  row.split(/\r\n|\r|\n/).flatMap((line) => line.split(separator).map((cell) => cell.replace(/^"+/, '')));

test.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['=HYPERLINK("x","y")', '\'=HYPERLINK("x","y")'],
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['\n=1', "'\n'=1"],
  ['\tx', "'\tx"],
  ['a;=1', "a;'=1"],
  ['a;"=1"', 'a;"\'=1"'],
  ['a\t@x;-2', "a\t'@x;'-2"],
  ['a\r\n=1\n+2', "a\r\n'=1\n'+2"],
])('no text begins a formula, whatever separates cells: %j', (text, escaped) => {
  const row = csvRow(['b', text]);
  expect(parse(row, { record_delimiter: '\r\n' })).toEqual([['b', escaped]]);
  for (const separator of [';', '\t'])
    for (const cell of cellsOf(row, separator)) expect(cell).not.toMatch(/^[=+\-@＝]/);
});

test('other texts are read back as they were, each in quotation marks', () => {
  const texts = ['plain', 'a,b', 'say "x"', 'two\nlines', 'two\r\nlines', 'a=b', ' =1', 'a; b', '💌'];
  expect(parse(csvRow(texts), { record_delimiter: '\r\n' })).toEqual([texts]);
  expect(csvRow(['a', 'say "x"'])).toBe('"a","say ""x"""\r\n');
});

test('numbers, times and what is not there', () => {
  expect(csvRow([-2, 0.5, true, null, undefined, '', new Date(0)])).toBe(
    '"-2","0.5","true","","","","1970-01-01T00:00:00.000Z"\r\n',
  );
});
