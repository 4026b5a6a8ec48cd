// What a browser fetches before it shows the first page: the entry and what it imports at once, compressed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../dashboard/dist');
const MOST_BYTES = 250 * 1024;

test('the first load is at most 250 KB of script, in gzip as in brotli', () => {
  const files = firstLoad();
  for (const ending of ['.gz', '.br']) {
    const bytes = files.map((file) => readFileSync(join(DIST, file + ending)).length);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(MOST_BYTES);
  }
});

test('with its styles and typeface it is at most 250 KB too, compressed', () => {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8');
  const links = [...page.matchAll(/href="\/(assets\/[\w.-]+\.(?:css|woff2))"/g)].map(([, file]) => file!);
  expect(links).toHaveLength(2);
  const scripts = firstLoad().map((file) => `${file}.gz`);
  const others = links.map((file) => (file.endsWith('.css') ? `${file}.gz` : file)); // a typeface is compressed already
  const bytes = [...scripts, ...others].map((file) => readFileSync(join(DIST, file)).length);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(MOST_BYTES);
});

test('pages, plots and the code editor come later', () => {
  const scripts = firstLoad().map((file) => readFileSync(join(DIST, file), 'utf8'));
  expect(scripts.length).toBeGreaterThan(0);
  for (const script of scripts) {
    expect(script).not.toContain('u-hz'); // a class name of uPlot
    expect(script).not.toContain('cm-content'); // a class name of CodeMirror
    expect(script).not.toContain('CreateApiKey');
  }
});

// The entry of index.html, what it preloads, and everything those import statically.
function firstLoad(): string[] {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8');
  const found = new Set<string>();
  const add = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    const script = readFileSync(join(DIST, file), 'utf8');
    for (const [, name] of script.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
      add(`assets/${name}`);
  };
  for (const [, file] of page.matchAll(/(?:src|href)="\/(assets\/[\w.-]+\.js)"/g)) add(file!);
  return [...found];
}
