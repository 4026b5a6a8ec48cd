// Liquid: templates of every tag and filter, with arguments that fit and that do not, rendered unsaved and saved.

import { judgeGraphql, judgeRest, parse } from './ask.ts';
import { hostileJson, hostileText } from './hostile.ts';
import { lane } from './lane.ts';
import { fromTape, type Tape } from './tape.ts';
import type { FuzzWorld } from './world.ts';

interface Template {
  saved: boolean;
  content: { subject: string; html: string | null; text: string | null };
  values: Record<string, unknown>;
}

/** The lane of Liquid. */
export const liquid = lane('liquid', fromTape(template), (world, made) =>
  made.saved ? renderSaved(world, made) : preview(world, made),
);

const PREVIEW =
  'mutation($input: PreviewTemplateInput!) { previewTemplate(input: $input) { subject html text } }';
const JSON_TYPE = { 'content-type': 'application/json' };

async function preview(world: FuzzWorld, { content, values }: Template): Promise<string | null> {
  const body = JSON.stringify({ query: PREVIEW, variables: { input: { ...content, values } } });
  return judgeGraphql(
    await world.ask('person', { method: 'POST', path: '/graphql', headers: JSON_TYPE, body }),
  );
}

async function renderSaved(world: FuzzWorld, { content, values }: Template): Promise<string | null> {
  const ask = (path: string, body: unknown) =>
    world.ask('key', {
      method: 'POST',
      path: `/api/v1/templates${path}`,
      headers: JSON_TYPE,
      body: JSON.stringify(body),
    });
  const made = await ask('', { name: `f${Math.random()}`, ...content });
  const id =
    typeof made === 'string' ? undefined : (parse(made.text) as { data?: { id?: string } })?.data?.id;
  if (id === undefined) return judgeRest(made);
  return judgeRest(await ask(`/${id}/preview`, { variables: values }));
}

function template(tape: Tape): Template {
  const text = () => tape.many(12, () => piece(tape, 0)).join('');
  return {
    saved: tape.chance(30),
    content: { subject: text() || 'a', html: tape.chance(60) ? text() : null, text: text() || 'a' },
    values: Object.fromEntries(tape.many(5, () => [tape.of(VARIABLES), hostileJson(tape)])),
  };
}

const VARIABLES = [
  'a',
  'b',
  'name',
  'items',
  'size',
  'first',
  '__proto__',
  'forloop',
  'unsubscribe_url',
] as const;
const MAX_DEPTH = 4;

// What cannot be stored is refused before it is looked at as Liquid.
function textOf(tape: Tape): string {
  const text = hostileText(tape);
  return tape.chance(2)
    ? text
    : text
        .replaceAll('\0', '')
        .replaceAll(/\{[{%]/g, '')
        .toWellFormed();
}

function piece(tape: Tape, depth: number): string {
  const below = () => (depth >= MAX_DEPTH ? 'x' : tape.many(3, () => piece(tape, depth + 1)).join(''));
  return tape.one(
    () => `{{ ${expression(tape)} }}`,
    () => textOf(tape),
    () => `{% assign ${tape.of(VARIABLES)} = ${expression(tape)} %}`,
    () =>
      `{% if ${condition(tape)} %}${below()}{% elsif ${condition(tape)} %}${below()}{% else %}${below()}{% endif %}`,
    () => `{% for i in ${range(tape)} ${tape.of(LOOPS)} %}${below()}{% endfor %}`,
    () => `{% case ${value(tape)} %}{% when ${value(tape)}, ${value(tape)} %}${below()}{% endcase %}`,
    () => `{% capture ${tape.of(VARIABLES)} %}${below()}{% endcapture %}`,
    () => `{% tablerow i in ${range(tape)} cols:${value(tape)} %}${below()}{% endtablerow %}`,
    () => `{% unless ${condition(tape)} %}${below()}{% endunless %}`,
    () => (tape.chance(25) ? tape.of(TAGS) : '{% increment a %}'),
  );
}

const TAGS = [
  ...[
    '{% break %}',
    '{% continue %}',
    '{% increment a %}',
    '{% decrement a %}',
    '{% cycle "a", "b" %}',
    '{% endif %}',
    '{%',
  ],
  ...[
    '{% include "a" %}',
    '{% render "a" %}',
    '{% layout "a" %}',
    '{% raw %}{{{% endraw %}',
    '{% comment %}',
    '{{',
    '}}',
    '{{}}',
  ],
  ...[
    '{% liquid assign a = 1\necho a %}',
    '{% # a %}',
    '{%- if -%}',
    '{% for %}',
    '{% assign %}',
    '{% a %}',
    '{{ "',
    '{{ a | }}',
  ],
] as const;
const LOOPS = [
  '',
  'reversed',
  'limit:3',
  'offset:continue',
  'limit:99999999',
  'limit:-1 offset:-1',
  'limit:a',
] as const;

function range(tape: Tape): string {
  return tape.of([
    'items',
    '(1..3)',
    '(1..99999999)',
    '(a..b)',
    '(3..1)',
    'a',
    '"abc"',
    '(1..1e9)',
    '(-5..5)',
    'nil',
  ]);
}

// By the number of their arguments: with another number a template is refused before it is rendered.
const FILTERS = [
  'abs capitalize ceil compact downcase escape escape_once first floor last lstrip newline_to_br reverse rstrip size sort ' +
    'sort_natural strip strip_html strip_newlines sum uniq upcase url_decode url_encode base64_decode base64_encode json',
  'append at_least at_most concat date default divided_by join map minus modulo plus prepend remove remove_first round ' +
    'split times x truncate truncatewords slice where',
  'replace replace_first slice truncate truncatewords where find has',
].map((names) => names.split(' ') as [string, ...string[]]);

function expression(tape: Tape): string {
  const filters = tape.many(5, () => {
    const count = tape.under(FILTERS.length);
    const name = tape.of(FILTERS[count]!);
    const given = tape.chance(5)
      ? tape.many(3, () => value(tape))
      : Array.from({ length: count }, () => value(tape));
    return ` | ${name}${given.length > 0 ? `: ${given.join(', ')}` : ''}`;
  });
  return value(tape) + filters.join('');
}

function value(tape: Tape): string {
  return tape.one(
    () => tape.of(VARIABLES),
    () =>
      tape.of([
        '1',
        '0',
        '-1',
        '1.5',
        '99999999999',
        '1e308',
        'nil',
        'true',
        'empty',
        'blank',
        '""',
        '"%Y %s %-d %q"',
      ]),
    () => `"${textOf(tape).replaceAll('"', '')}"`,
    () => `${tape.of(VARIABLES)}.${tape.of(VARIABLES)}`,
    () => `${tape.of(VARIABLES)}[${tape.of(['0', '-1', '"a"', 'b', 'a[b[a]]', '99999999'])}]`,
  );
}

function condition(tape: Tape): string {
  const compare = () =>
    `${value(tape)} ${tape.of(['==', '!=', '>', '<', 'contains', '<>', 'and', 'or', ''])} ${value(tape)}`;
  return [compare(), ...tape.many(2, () => `${tape.of(['and', 'or'])} ${compare()}`)].join(' ');
}
