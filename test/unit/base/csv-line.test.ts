// Cells that a spreadsheet would run.

import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';

import { csvLine } from '../../../core/base/csv-line.ts';

test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('%j is text', (cell) => {
  const [[read]] = parse(csvLine([cell])) as [[string]];
  expect(read).toBe(`'${cell}`);
});

test('what needs quotes gets them, and comes back as it was', () => {
  const cells = ['a', 'b,c', 'say "hi"', 'two\nlines', '', 'ann@example.com'];
  expect(parse(csvLine(cells))).toEqual([cells]);
});
