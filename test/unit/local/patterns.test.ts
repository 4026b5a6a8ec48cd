// `npm run patterns`: what it finds in code, how it judges, and that its exceptions stay true.

import { describe, expect, test } from 'vitest';

import { findPatterns } from '../../../local/patterns/find-patterns.ts';
import { judge, shrink, type Verdict } from '../../../local/patterns/judge.ts';
import { problemsOf, type Exceptions, type Placed } from '../../../local/patterns/problems.ts';

const patternsIn = (code: string, read?: (file: string) => string) =>
  findPatterns('core/a.ts', code, read).map((found) => ('pattern' in found ? found.pattern : found.made));

describe('every way to write a pattern is found', () => {
  test.each([
    ['a literal', 'const a = /x+$/g;', 'x+$'],
    ['a text', "new RegExp('x+$')", 'x+$'],
    ['a raw text', 'RegExp(String.raw`\\s+$`)', '\\s+$'],
    ['constants', "const A = 'x'; const B = `${A}+`; new RegExp(B + '$')", 'x+$'],
    ['a number', 'const MOST = 5; new RegExp(`x{${MOST},}$`)', 'x{5,}$'],
    ['the source of another', 'const A = /x+/; new RegExp(`${A.source}$`)', 'x+$'],
    ['a list', "new RegExp(['x+', 'y'].join('|'))", 'x+|y'],
    ['a text that match makes one of', "text.match('x+$')", 'x+$'],
    ['what is known only when it runs', 'new RegExp(given)', 'new RegExp(given)'],
    ['a name with two values', "let A = 'x'; A = given; new RegExp(A)", 'new RegExp(A)'],
  ])('%s', (_name, code, expected) => {
    expect(patternsIn(code)).toContain(expected);
  });

  test('constants of another file', () => {
    const read = (file: string) => (file === 'base/b.ts' ? "export const SET = '[xy]';" : '');
    expect(patternsIn("import { SET } from '../base/b.ts'; new RegExp(`${SET}+$`)", read)).toEqual([
      '[xy]+$',
    ]);
  });
});

describe('judging', () => {
  test.each(['\\s+$', '(a+)+b', '^a.*;[ \\t]*(.*?)[ \\t]*$', '"[^"]*":\\s*[;]?\\s*x', 'a{0,5000}b'])(
    'super-linear: %s',
    async (pattern) => {
      expect(await judge(pattern, '')).toMatchObject({ ok: false });
    },
  );
  test.each(['^\\s+', '[ab]{1,300}@', '"[^"]*"', 'a'])('linear: %s', async (pattern) => {
    expect(await judge(pattern, '')).toEqual({ ok: true });
  });
  test('bounded repetitions are cut, not those in classes and escapes', () => {
    expect(shrink('a{1,253}[{9,}]\\{8,9}b{7}\\u{12345}c{4,}')).toBe(
      'a{1,3}[{9,}]\\{8,9}b{3,3}\\u{12345}c{3,}',
    );
  });
});

describe('problems', () => {
  const slow: Verdict = { ok: false, complexity: 'exponential', attack: "'a'.repeat(9)" };
  const places: Placed[] = [
    { file: 'core/a.ts', line: 3, pattern: 'x+$', flags: 'g' },
    { file: 'node_modules/b/node_modules/c/d.js', line: 1, made: 'new RegExp(given)' },
  ];
  const listed: Exceptions = { why: 'short', patterns: { 'core/a.ts': ['x+$'] }, made: ['c/d.js'] };

  test('name the place, the pattern and its order', () => {
    const [first, second, ...others] = problemsOf(places, () => slow, []);
    expect(first).toMatch(/^core\/a\.ts:3: \/x\+\$\/g\n.*exponential.*'a'\.repeat\(9\)/);
    expect(second).toMatch(/c\/d\.js:1: new RegExp\(given\)/);
    expect(others).toEqual([]);
  });
  test('there are none for what is linear or listed', () => {
    expect(problemsOf(places.slice(0, 1), () => ({ ok: true }), [])).toEqual([]);
    expect(problemsOf(places, () => slow, [listed])).toEqual([]);
  });
  test('an exception that nothing needs is one', () => {
    const problems = problemsOf([], () => slow, [listed]);
    expect(problems.map((problem) => problem.split(': ', 2)[1])).toEqual([
      'core/a.ts x+$',
      'c/d.js makes no pattern',
    ]);
  });
});
