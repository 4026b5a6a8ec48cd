// Liquid as customers may use it: what is escaped, what is not there, and what is said of mistakes.

import { expect, test } from 'vitest';

import { createEngine } from '../../../core/template/engine.ts';
import { MAX_SUBJECT_CHARS } from '../../../core/template/template.ts';

const engine = createEngine(60_000); // what is rendered is the question, not how soon

function render(parts: { subject?: string; html?: string; text?: string }, variables: object = {}) {
  const content = { subject: parts.subject ?? 's', html: parts.html ?? null, text: parts.text ?? null };
  const result = engine.compile(content);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return engine.render(result.compiled, JSON.parse(JSON.stringify(variables)) as Record<string, unknown>);
}
const problems = (html: string) => {
  const result = engine.compile({ subject: 's', html, text: null });
  return result.ok ? [] : result.problems;
};

test('outputs are escaped in HTML, and put out as they are in subject and text', () => {
  const name = '<b>"Ann" & \'Bob\'</b>';
  const part = 'Hi {{ name }}';
  expect(render({ subject: part, html: part, text: part }, { name })).toMatchObject({
    ok: true,
    subject: `Hi ${name}`,
    html: 'Hi &lt;b&gt;&#34;Ann&#34; &amp; &#39;Bob&#39;&lt;/b&gt;',
    text: `Hi ${name}`,
  });
});

test('escaping cannot be lost by accident: only `raw` as the last filter lifts it', () => {
  const vars = { a: '<a>', b: '<b>' };
  expect(render({ html: '{{ a | escape }}' }, vars)).toMatchObject({ html: '&lt;a&gt;' });
  expect(render({ html: '{{ a | escape | append: b }}' }, vars)).toMatchObject({
    html: expect.not.stringContaining('<'),
  });
  expect(render({ html: '{{ a | raw | append: b }}' }, vars)).toMatchObject({
    html: expect.not.stringContaining('<'),
  });
  expect(
    render({ html: '{% echo a %}{% cycle a, b %}{% capture c %}{{ a }}{% endcapture %}' }, vars),
  ).toMatchObject({
    html: '&lt;a&gt;&lt;a&gt;',
  });
  expect(render({ html: '{{ a | raw }}' }, vars)).toMatchObject({ html: '<a>' });
});

test('a variable cannot add a header: the subject is one line, and cut to one line of RFC 5322', () => {
  const rendered = render({ subject: 'Hi {{ name }}' }, { name: 'Ann\r\nBcc: all@example.com\u2028x' });
  expect(rendered).toMatchObject({ subject: 'Hi Ann Bcc: all@example.com x' });
  const long = render({ subject: '{{ name }}' }, { name: 'x'.repeat(5000) });
  expect((long as { subject: string }).subject).toHaveLength(MAX_SUBJECT_CHARS);
});

test('template text inside data is data', () => {
  const name = '{{ secret }}{% for i in (1..9) %}x{% endfor %}';
  expect(render({ text: '{{ name }}' }, { name, secret: 'no' })).toMatchObject({ text: name });
});

test('nothing but the data is within reach', () => {
  const chains = [
    'constructor.constructor',
    '__proto__.polluted',
    'x.constructor',
    'x.__proto__',
    'list.constructor.name',
    'list["__proto__"]["constructor"]',
    'x.toString',
    'x.hasOwnProperty',
    'process.env.PATH',
    'globalThis',
    'this',
    'require',
  ];
  for (const chain of chains)
    expect(render({ text: `[{{ ${chain} }}]` }, { x: { a: 1 }, list: [1] })).toMatchObject({ text: '[]' });
  const polluting = JSON.parse(
    '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}',
  );
  expect(render({ text: '[{{ polluted }}{{ x.polluted }}]' }, { ...polluting, x: {} })).toMatchObject({
    text: '[]',
  });
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

test('other templates, files and addresses are not available, and the error says so with line and column', () => {
  for (const tag of [
    "include 'a'",
    "render '/etc/passwd'",
    "layout 'http://127.0.0.1/'",
    'include name',
    'block x',
  ]) {
    const word = tag.split(' ')[0]!;
    expect(problems(`<p>\n  {% ${tag} %}`)).toEqual([
      {
        path: 'html',
        message: `line 2, column 3: {% ${word} %} is not available: a template cannot include other templates`,
      },
    ]);
  }
});

test('mistakes are named with line and column', () => {
  expect(problems('a\nb {% if x %}')[0]?.message).toMatch(/^line 2, column 3: tag .*not closed/);
  expect(problems('{{ x | shout }}')[0]?.message).toMatch(/^line 1, column 1: undefined filter: shout/);
  expect(problems('\n\n{% fro i in x %}')[0]?.message).toMatch(/^line 3, column 1: tag "fro" not found/);
  expect(problems('{{ x')[0]?.message).toMatch(/^line 1, column 1: output .* not closed/);
});

test('what would take too much memory, or is too large, is refused', () => {
  const failing: [string, RegExp][] = [
    ['{% for i in (1..1000000000) %}{{ i }}{% endfor %}', /memory/],
    [
      '{% assign a = "aaaaaaaaaa" %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}',
      /memory/,
    ],
    ['{% for i in (1..3000) %}{{ x }}{% endfor %}', /larger than 2 MiB/],
    ['{{ "x" | date: "%1000000000d" }}{{ "now" | date: "%900000000Y" }}', /memory/],
  ];
  for (const [text, reason] of failing)
    expect(render({ text }, { x: 'x'.repeat(1000) })).toMatchObject({
      ok: false,
      reason: expect.stringMatching(reason),
    });
});

test('a template of 100,000 nested tags is refused, one of thousands does not break the parser', () => {
  const nested = (depth: number) => '{% if a %}'.repeat(depth) + '{% endif %}'.repeat(depth);
  expect(problems(nested(100_000))[0]?.message).toMatch(/more than 20000 tags/);
  expect(
    problems(nested(9_000))
      .map((one) => one.message)
      .join(),
  ).toMatch(/^$|nested too deeply/);
});
