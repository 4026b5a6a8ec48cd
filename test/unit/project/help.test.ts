// Every page of the dashboard has a document that is there, with the heading that its link names.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { renderDoc } from '../../../dashboard/doc-pages.ts';
import { DOCS, HELP } from '../../../dashboard/src/shell/help.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WITHOUT = new Set(['*', '/docs', '/docs/:name']); // the page of what is not there, and the documents themselves
const read = (name: string) => readFileSync(join(ROOT, `docs/${name}.md`), 'utf8');

function routes(): string[] {
  const text = readFileSync(join(ROOT, 'dashboard/src/routes.tsx'), 'utf8');
  const inside = text.slice(text.indexOf('export const ROUTES'), text.indexOf('export const OPEN_ROUTES'));
  return [...inside.matchAll(/path: '([^']+)'/g)].map(([, path]) => path!);
}

test('every page of the shell has its document, and no document is of a page that is gone', () => {
  expect(routes().length).toBeGreaterThan(30);
  const wanted = routes().filter((path) => !WITHOUT.has(path));
  expect(Object.keys(HELP).toSorted()).toEqual(wanted.toSorted());
});

test.each(DOCS.map(({ name }) => name))('docs/%s.md is there', (name) => {
  expect(existsSync(join(ROOT, `docs/${name}.md`))).toBe(true);
});

test.each([...new Set(Object.values(HELP))])('%s leads to a heading', (place) => {
  const [name = '', anchor] = place.split('#');
  if (anchor !== undefined) expect(renderDoc(read(name))).toContain(` id="${anchor}"`);
});

test('links between documents lead to their pages, and what is not shown stays text', () => {
  const html = renderDoc(
    '# T\n\n## A & b\n\n`docs/people.md`, [x](warmup.md#the-day), [y](adr/0001.md), `docs/flow.md`, `<b>`',
  );
  expect(html).not.toContain('<h1');
  expect(html).toContain('<h2 id="a--b">A &amp; b</h2>');
  expect(html).toContain('<a href="/docs/people"><code>docs/people.md</code></a>');
  expect(html).toContain('<a href="/docs/warmup#the-day">x</a>, y, <code>docs/flow.md</code>');
  expect(html).toContain('<code>&lt;b&gt;</code>');
});
