// What templates put out, held against Shopify's own Liquid, and where ours differs on purpose (docs/templates.md).

import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { createEngine } from '../../../core/template/engine.ts';
import { countThreadMs } from '../../harness/thread-time.ts';

const engine = createEngine(60_000); // what is rendered is the question, not how soon

function render(text: string, variables: object = {}) {
  const compiled = engine.compile({ subject: 's', html: null, text });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return engine.render(compiled.compiled, structuredClone(variables) as Record<string, unknown>);
}
const textOf = (template: string, variables?: object) => {
  const rendered = render(template, variables);
  return rendered.ok ? rendered.text : rendered.reason;
};

interface Goldens {
  variables: Record<string, unknown>;
  /** Template and output; null where it fails. */
  cases: [string, string | null][];
}

test('numbers, texts, lists, dates and tags give what Shopify gives', () => {
  const file = new URL('../../fixtures/liquid/shopify.json', import.meta.url);
  const { variables, cases } = JSON.parse(readFileSync(file, 'utf8')) as Goldens;
  const ours = cases.map(([template]) => {
    const rendered = render(template, variables);
    return [template, rendered.ok ? rendered.text : null];
  });
  expect(ours).toEqual(cases);
});

test('an integer and a float stay what they are through assign, capture, comparison and output', () => {
  expect(textOf('{{ 7 | divided_by: 2 }} {{ -7 | divided_by: 2 }} {{ 7.0 | divided_by: 2 }}')).toBe(
    '3 -4 3.5',
  );
  expect(textOf('{{ 10.1 | minus: 2.2 }} {{ 0.1 | plus: 0.2 }} {{ 19.99 | times: 3 }}')).toBe(
    '7.9 0.3 59.97',
  );
  const doubled = '{% assign x = 10.50 | times: 2 %}';
  expect(textOf(`${doubled}{{ x }} {% echo x %} {% if x == 21 and x > 9.0 %}yes{% endif %}`)).toBe(
    '21.0 21.0 yes',
  );
  expect(textOf('{{ list | sum }} {{ list | sum: "a" }}', { list: [0.1, 0.2, { a: 1.5 }] })).toBe('0.3 1.5');
  expect(textOf('{% assign x = 2.0 | times: 1 %}{{ x | json }} {{ x | date: "%s" }}')).toBe('2 2');
});

test('division by zero fails the render and says where', () => {
  for (const filter of ['divided_by: 0', 'modulo: 0', 'divided_by: nothing', 'divided_by: 0.0'])
    expect(textOf(`a\n  {{ 5 | ${filter} }}`)).toBe('text: line 2, column 3: divided by 0');
});

test('numbers that are too large fail at once', () => {
  const hostile = { big: 1e308, nines: '9'.repeat(10_000), tiny: `0.${'0'.repeat(390)}1` };
  const took = countThreadMs();
  expect(textOf('{{ nines | times: nines }}', hostile)).toMatch(/more than 400 digits/);
  expect(textOf('{{ big | times: big }}', hostile)).toMatch(/too large a number/);
  expect(textOf('{{ tiny | times: tiny }} {{ 1 | round: 999999999 }}', hostile)).toBe('0.0 1');
  expect(textOf('{{ 1 | divided_by: tiny }}', hostile)).toMatch(/too large a number/);
  const written = '9'.repeat(500);
  expect(textOf(`{{ ${written} | plus: 1 }}`)).toMatch(/line 1, column 1: too large a number/);
  expect(textOf(`{{ ${written}.5 | plus: 1 }}`)).toMatch(/too large a number/);
  expect(textOf('{{ 12345678901234567890 | plus: 1 }} {{ +7.5 }} {{ 7. }}')).toBe(
    '12345678901234567891 7.5 7',
  );
  const loop = '{% for i in (1..200) %}{% assign x = big | minus: tiny | divided_by: 7.3 %}{% endfor %}ok';
  expect(textOf(loop, { big: '9'.repeat(300), tiny: hostile.tiny })).toBe('ok');
  expect(took()).toBeLessThan(5_000);
});

test('a list that holds itself many times over is refused, not unfolded', () => {
  const grow = '{% for i in (1..40) %}{% assign a = a | push: a %}{% endfor %}';
  for (const last of ['{{ a }}', '{{ a | join }}', '{{ a | upcase }}', '{{ a | group_by: "x" }}'])
    expect(textOf(`{% assign a = "" | split: "" %}${grow}${last}`)).toMatch(/needs more memory/);
});

test('an object is JSON wherever it is printed, and a list its items', () => {
  const variables = { o: { a: 1, b: [null, 'x'] }, list: [1, [2, { q: 1 }]] };
  const json = '{"a":1,"b":[null,"x"]}';
  const printed: [string, string][] = [
    ['{{ o }}', json],
    ['{{ list }}', '12{"q":1}'],
    ['{{ list | join: "-" }}', '1-2-{"q":1}'],
    ['{{ o | append: "!" }}', `${json}!`],
    ['{{ "x" | append: o }}', `x${json}`],
    ['{{ o | upcase }}', '{"A":1,"B":[NULL,"X"]}'],
    ['{{ "x" | replace: "x", o }}', json],
    ['{{ list | array_to_sentence_string }}', '1, 2, and {"q":1}'],
    ['{% capture c %}{{ o }}{% endcapture %}{% echo c %}{% cycle o %}', json + json],
  ];
  for (const [template, output] of printed) expect(textOf(template, variables), template).toBe(output);
  const compiled = engine.compile({ subject: '{{ o }}', html: '{{ o }} {{ o | raw }}', text: null });
  if (!compiled.ok) throw new Error('does not compile');
  expect(engine.render(compiled.compiled, { o: { a: '<b>' } })).toMatchObject({
    subject: '{"a":"<b>"}',
    html: '{&#34;a&#34;:&#34;&lt;b&gt;&#34;} {"a":"<b>"}',
  });
});
