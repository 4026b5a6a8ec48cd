// What is refused when a template is saved although it parses, and that a template which is stored already renders on.

import { filters } from 'liquidjs';
import { expect, test } from 'vitest';

import { createEngine } from '../../../core/template/engine.ts';
import { FILTERS } from '../../../core/template/filter-table.ts';

const engine = createEngine();
const check = (text: string) => engine.check({ subject: 's', html: null, text }).map((one) => one.message);

test('the table has every filter of the library, and no other', () => {
  expect(Object.keys(FILTERS).sort()).toEqual(Object.keys(filters).sort());
});

test('wrong arguments are named with line and column', () => {
  const wrong: [string, RegExp][] = [
    ['\n {{ x | replace }}', /^line 2, column 9: replace takes 1 or 2 arguments, got 0$/],
    ['{{ x | upcase: 1 }}', /^line 1, column 8: upcase takes no arguments, got 1$/],
    ['{{ x | date }}', /date takes 1 or 2 arguments, got 0/],
    ['{{ x | append }}', /append takes 1 argument, got 0/],
    ['{{ x | append: "a", "b" }}', /append takes 1 argument, got 2/],
    ['{{ x | divided_by: 0 }}', /^line 1, column 20: divided_by needs a number other than 0, not 0$/],
    ['{{ x | modulo: "0.0" }}', /a number other than 0/],
    ['{{ x | plus: "a\nb" }}', /plus needs a number, not "a b"$/],
    ['{{ x | plus: "abc" }}', /plus needs a number, not "abc"/],
    ['{{ x | times: true }}', /times needs a number, not true/],
    ['{{ x | truncate: "abc" }}', /truncate needs a whole number, not "abc"/],
    ['{{ x | round: 1.5 }}', /round needs a whole number/],
    ['{{ x | concat: "a" }}', /concat needs a list/],
    ['{{ x | default: 1, alow_false: true }}', /default has no argument called alow_false/],
    ['{{ x | date: "%Y", zone: "UTC" }}', /date has no argument called zone/],
    ['{% assign y = x | upcase: 1 %}', /upcase takes no arguments/],
    ['{% if true %}{% for i in x %}{{ i | slice }}{% endfor %}{% endif %}', /slice takes 1 or 2/],
    ['{% for i in x limit: "y" %}{% endfor %}', /^line 1, column 22: limit needs a whole number, not "y"$/],
    ['{% for i in x limit %}{% endfor %}', /limit needs a whole number/],
    ['{% for i in x lmit: 2 %}{% endfor %}', /for takes limit, offset, reversed, not lmit/],
    ['{% tablerow i in x cols: "a" %}{% endtablerow %}', /cols needs a whole number/],
    ['{% cycle %}', /empty candidates/],
    ['{% cycle "a" "b" %}', /^line 1, column 14: unexpected "b"/],
    ['{% cycle x | shout %}', /undefined filter: shout/],
    ['{% case x %}\n{% when %}{% endcase %}', /^line 2, column 1: \{% when %\} takes values/],
    ['{% case x %}{% when 1 2 %}{% endcase %}', /\{% when %\} takes values/],
    ['{% case x %}{% else y %}{% endcase %}', /\{% else %\} takes no arguments/],
    ['{{ first name }}', /^line 1, column 10: unexpected name/],
    ['{% if x == %}{% endif %}', /== needs a value on both sides/],
    ['{% if not %}{% endif %}', /not needs a value on its right/],
  ];
  for (const [template, message] of wrong)
    expect(check(template), template).toEqual([expect.stringMatching(message)]);
  expect(check('{{ x | upcase: 1 }}'.repeat(100))).toHaveLength(20);
});

test('what is right passes', () => {
  const right = [
    '{{ x | default: "a", allow_false: true | truncate: "5", "" | round }}',
    '{{ x | slice: -3, 2 | replace: "a" | date: "%Y" | divided_by: y | divided_by: "1.5", true }}',
    '{% for i in (1..3) reversed limit: 2 offset: continue %}{{ i }}{% else %}{% endfor %}',
    '{% for i in x limit: y, offset: "1" %}{% endfor %}{% tablerow i in x cols: 2, limit: 3 %}{% endtablerow %}',
    '{% case x %}{% when 1, "a" or b.c %}{% else %}{% endcase %}{% cycle g: "a", "b" %}',
    '{% if a == b and not c or d contains "x" %}{% elsif x %}{% else %}{% endif %}{{ forloop.index }}',
    '{% comment %}{% when %}{{ x | upcase: 1 }}{% endcomment %}{% raw %}{{ x | upcase: 1 }}{% endraw %}',
    '{% liquid\n assign z = x | concat: y\n echo z | join: ", " %}{{ list | sum: "a" | at_least: 0 }}{% echo %}',
  ];
  for (const template of right) expect(check(template), template).toEqual([]);
});

test('a template that was stored before arguments were checked renders as it did', () => {
  const stored: [string, string][] = [
    ['{{ "abc" | upcase: 1 }}', 'ABC'],
    ['{{ "abc" | replace: "b" }}', 'ac'],
    ['{{ "abc" | remove }}', 'abc'],
    ['{{ first name }}', 'Ann'],
    ['{% for i in (1..3) limit: "x" %}{{ i }}{% endfor %}', ''],
    ['{{ 0 | date }}', 'Thursday, January 1, 1970 at 12:00 am +0000'],
    ['{{ 7 | plus }} {{ 7 | plus: "abc" }}', '7 7'],
  ];
  for (const [text, output] of stored) {
    const compiled = engine.compile({ subject: 's', html: null, text });
    if (!compiled.ok) throw new Error(text);
    expect(engine.render(compiled.compiled, { first: 'Ann' }), text).toMatchObject({ text: output });
  }
});
