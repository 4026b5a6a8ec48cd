// What the template editor offers and marks, held against what the api renders and what campaigns give.

import { CompletionContext } from '@codemirror/autocomplete';
import { liquidLanguage } from '@codemirror/lang-liquid';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';

import { messageMaker } from '../../../core/campaign/campaign-message.ts';
import { createEngine } from '../../../core/template/engine.ts';
import { FILTERS } from '../../../core/template/filter-table.ts';
import { BUILT_IN_VARIABLES } from '../../../dashboard/src/pages/templates/built-in-variables.ts';
import { htmlProblems } from '../../../dashboard/src/ui/code/html-problems.ts';
import { known } from '../../../dashboard/src/ui/code/known.ts';
import { completeLiquid, languageOf } from '../../../dashboard/src/ui/code/languages.ts';
import { liquidNames } from '../../../dashboard/src/ui/code/liquid-names.ts';

const PARSE_MS = 10_000; // a busy machine does not parse in the 20 ms that an editor takes at once

function offered(doc: string): string[] {
  const extensions = [
    languageOf('html'),
    known.of({ variables: [{ name: 'shop', detail: 'variable' }], problems: [] }),
  ];
  const created = EditorState.create({ doc, extensions });
  ensureSyntaxTree(created, doc.length, PARSE_MS);
  const { state } = created.update({});
  const found = completeLiquid(new CompletionContext(state, doc.length, true));
  return found?.options.map(({ label }) => label) ?? [];
}
const namesIn = (doc: string) =>
  liquidNames(liquidLanguage.parser.parse(doc), (from, to) => doc.slice(from, to)).map(({ name }) => name);
const problemsIn = (doc: string) =>
  htmlProblems(doc, liquidLanguage.parser.parse(doc)).map(({ from, message }) => `${from} ${message}`);

test('every filter and tag that is offered is one that the api renders', () => {
  const filters = offered('{{ x | u');
  expect(filters).toContain('upcase');
  expect(filters.filter((name) => !Object.hasOwn(FILTERS, name))).toEqual([]);
  const tags = offered('{% f');
  expect(tags).toContain('for');
  const engine = createEngine(60_000); // what is rendered is the question, not how soon
  const unknown = tags
    .filter((name) => !/^(?:end|els|when)/.test(name))
    .filter((name) =>
      engine
        .check({ subject: 's', html: `{% ${name} %}`, text: null })
        .some(({ message }) => /not found|not available/.test(message)),
    );
  expect(unknown).toEqual([]);
});

test('variables are offered in Liquid, and nothing in the words around it', () => {
  expect(offered('<p>{{ s')).toContain('shop');
  expect(offered('<p>s')).toEqual([]);
});

test('the built-in variables are those that a campaign gives to every contact', () => {
  const make = messageMaker(
    {
      from: 'a@example.com',
      replyTo: null,
      subject: 's',
      html: 'h',
      text: null,
      trackOpens: null,
      trackClicks: null,
    } as never,
    'id',
  );
  const contact = {
    contactId: 'c',
    email: 'ann@example.net',
    firstName: 'Ann',
    lastName: 'Lee',
    attributes: {},
  };
  const given = make(contact) as { variables: Record<string, unknown> };
  expect(BUILT_IN_VARIABLES.map(({ name }) => name).sort()).toEqual(Object.keys(given.variables).sort());
});

test('names that a template makes itself are not read from outside', () => {
  const made =
    '{% assign a = x %}{% capture b %}{% endcapture %}{% for c in list %}{{ c.d }}{{ forloop.index }}{% endfor %}';
  expect(namesIn(`${made}{{ a }}{{ b }}{% increment n %}`)).toEqual(['x', 'list']);
  expect(namesIn('{{ user.name }}{% if q == nil and r contains "s" %}{% endif %}{{ l[k] }}')).toEqual([
    ...['user', 'q', 'r', 'l', 'k'],
  ]);
  expect(namesIn('{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{% endcomment %}')).toEqual([]);
});

test('pictures without a text and tags that are not closed are found, through Liquid, but not in its branches', () => {
  expect(
    problemsIn('<p>a<br><img src="x" alt=""><img alt="{{ a }}" src="{{ b }}">\n<p>b<ul><li>c</ul>'),
  ).toEqual([]);
  expect(problemsIn('<div>\n<img src="{{ x }}"></div>')).toEqual([
    '6 The image has no alt text. Write what it shows, or alt="" for decoration.',
  ]);
  expect(problemsIn('<table><tr><td><b>{{ x }}</td></tr></table>')).toEqual(['15 <b> is not closed.']);
  expect(problemsIn('<p>a</p></div>')).toEqual(['8 </div> closes nothing.']);
  expect(problemsIn('{% if x %}<div>{% else %}<div class="y">{% endif %}a</div>')).toEqual([]);
});
