import { expect, test } from 'vitest';

import { formatTarget, formatValue, verdict, type Figure } from '../../../bench/figure.ts';
import { PARTS, readOptions } from '../../../bench/options.ts';
import { renderResults, type PartResult } from '../../../bench/report.ts';

const figure: Figure = {
  id: 'gate.1',
  what: 'Gate decisions',
  value: 41_234.5,
  unit: '/s',
  target: { atLeast: 50_000 },
  raw: { what: 'redis-benchmark', value: 80_000, unit: '/s' },
};

function partResult(part: PartResult['part'], at: string, figures: Figure[]): PartResult {
  return { part, commit: 'abc1234', at, command: 'npm run bench', machine: { CPU: `of ${at}` }, figures };
}

test('a figure meets its target or misses it by a share of the target', () => {
  expect(verdict(figure)).toBe('missed by 17.5 %');
  expect(verdict({ value: 50_000, target: { atLeast: 50_000 } })).toBe('met');
  expect(verdict({ value: 30, target: { atMost: 25 } })).toBe('missed by 20 %');
  expect(verdict({ value: 0, target: { atMost: 0 } })).toBe('met');
  expect(verdict({ value: 3, target: { atMost: 0 } })).toBe('missed');
  expect(verdict({ value: 3 })).toBe('');
});

test('a figure that was not measured misses its target', () => {
  expect(verdict({ value: Number.NaN, target: { atMost: 10 } })).toMatch(/^missed/);
  expect(formatValue(Number.NaN, 'MB')).toBe('n/a MB');
});

test('numbers are shown with three digits and their unit', () => {
  expect(formatValue(41_234.5, '/s')).toBe('41,200/s');
  expect(formatValue(16.7916, 'ms')).toBe('16.8 ms');
  expect(formatTarget({ atMost: 25 }, 'ms')).toBe('≤ 25 ms');
  expect(formatTarget(undefined, 'ms')).toBe('');
});

test('the report has a section per part, the newest machine, and a line per missed target with its note', () => {
  const results = {
    grpc: partResult('grpc', '2026-01-02 10:00 UTC', [{ ...figure, id: 'grpc.stream', value: 60_000 }]),
    gate: partResult('gate', '2026-01-01 10:00 UTC', [figure]),
  };
  const text = renderResults(results, PARTS, { 'gate.1': 'Redis shares its core.' });
  expect(text).toContain('| CPU | of 2026-01-02 10:00 UTC |');
  expect(text.indexOf('## Warm-up gate alone')).toBeLessThan(text.indexOf('## gRPC'));
  expect(text).toContain(
    '| Gate decisions | ≥ 50,000/s | 41,200/s | 80,000/s redis-benchmark | missed by 17.5 % |',
  );
  expect(text).toContain('- Gate decisions: missed by 17.5 %. Redis shares its core.');
  expect(text.match(/^- /gm)).toHaveLength(1);
});

test('a missed target without a note says where the note goes', () => {
  const text = renderResults({ gate: partResult('gate', '2026-01-01 10:00 UTC', [figure]) }, PARTS, {});
  expect(text).toContain('`gate.1` in bench/notes.json');
});

test('options choose parts, and a part that does not exist is said', () => {
  expect(readOptions([])).toMatchObject({ parts: [...PARTS], quick: false, senders: 1 });
  expect(readOptions(['--only', 'grpc,gate', '--quick'])).toMatchObject({
    parts: ['gate', 'grpc'],
    quick: true,
  });
  expect(readOptions(['--only', 'grcp'])).toEqual({ problem: 'there is no part "grcp"' });
  expect(readOptions(['--senders', 'two'])).toHaveProperty('problem');
  expect(readOptions(['--faster'])).toHaveProperty('problem');
});
