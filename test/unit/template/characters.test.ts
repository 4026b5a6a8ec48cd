// Texts in templates are counted in characters, and numbers that JSON does not keep are refused.

import { describe, expect, test } from 'vitest';

import { attributesProblem } from '../../../core/contact/contact.ts';
import { checkVariables } from '../../../core/message/variables-input.ts';
import { createEngine } from '../../../core/template/engine.ts';

const engine = createEngine(60_000); // what is rendered is the question, not how soon

function textOf(text: string, variables: Record<string, unknown>): string {
  const compiled = engine.compile({ subject: 's', html: null, text });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const rendered = engine.render(compiled.compiled, variables);
  return rendered.ok ? rendered.text : rendered.reason;
}

test.each([
  ['😀bc', '3 3 😀 c 😀b bc'],
  ['ab😀', '3 3 a 😀 ab b😀'],
  ['😀', '1 1 😀 😀 😀 '],
  ['日本語', '3 3 日 語 日本 本語'],
  ['👍🏽!', '3 3 👍 ! 👍🏽 🏽!'],
  ['Zoë', '3 3 Z ë Zo oë'],
  ['𝒜𝒷', '2 2 𝒜 𝒷 𝒜𝒷 𝒜𝒷'],
  ['', '0 0    '],
  ['\ud83d', '1 1 \ufffd \ufffd \ufffd '],
])('%j: size, first, last, slices', (v, expected) => {
  const template =
    '{{ v.size }} {{ v | size }} {{ v | first }} {{ v | last }} {{ v | slice: 0, 2 }} {{ v | slice: -2, 2 }}';
  expect(textOf(template, { v })).toBe(expected);
});

test('a size in a condition, of a captured text and of nested values', () => {
  expect(textOf('{% if v.size == 2 %}two{% endif %}', { v: '😀😀' })).toBe('two');
  expect(textOf('{% capture c %}😀{{ v }}{% endcapture %}{{ c.size }}', { v: 'é' })).toBe('2');
  expect(
    textOf('{{ o.list[0].name.size }} {{ o.list.size }} {{ o.size }}', { o: { list: [{ name: '😀' }] } }),
  ).toBe('1 1 1');
  expect(textOf('{{ o.size }}', { o: { size: 'L' } })).toBe('L');
});

describe('lists have sizes, first and last items as before', () => {
  test.each([
    [
      '{{ v | first }} {{ v | last }} {{ v | size }} {{ v.first }} {{ v.last }} {{ v.size }}',
      [1, 2, 3],
      '1 3 3 1 3 3',
    ],
    ['{{ v | first }}{{ v | last }}{{ v | size }}', [], '0'],
    ['{{ v | size }}', null, '0'],
  ])('%s', (template, v, expected) => {
    expect(textOf(template, { v })).toBe(expected);
  });
});

const number = (json: string) => JSON.parse(`{"v":${json}}`) as Record<string, unknown>;

test.each([
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890',
  '1e30',
  '1e400',
  '[1, {"id": 9007199254740993}]',
])('%s is refused in variables and attributes', (json) => {
  expect(checkVariables(number(json))).toMatch(/beyond 2\^53/);
  expect(attributesProblem(number(json))).toMatch(/beyond 2\^53/);
});

test.each([
  '9007199254740991',
  '-9007199254740991',
  '0.1',
  '1e15',
  '"9007199254740993"',
  '12345678.901234567',
])('%s is accepted', (json) => {
  expect(checkVariables(number(json))).toBeNull();
  expect(attributesProblem(number(json))).toBeNull();
});

test('a number as text stays exact', () => {
  expect(textOf('{{ v }} {{ v | plus: 1 }}', { v: '9007199254740993' })).toBe(
    '9007199254740993 9007199254740994',
  );
});
