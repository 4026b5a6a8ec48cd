// The documents name files, tests and steps; every one of them exists, and every step has its row.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { FAILPOINTS } from '../../../core/base/failpoint.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md', ...markdown('docs')];

function markdown(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
}

test.each(pages)('%s names only files that exist', (page) => {
  const named = [
    ...read(page).matchAll(
      /`((?:api|core|sender|inbound|scheduler|local|bench|test|docs|proto|deploy)\/[\w./-]+\.\w+)`/g,
    ),
  ];
  const missing = named.map((match) => match[1]!).filter((file) => !existsSync(join(ROOT, file)));
  expect(missing).toEqual([]);
});

test('the flow fits on a few screens', () => {
  expect(read('docs/flow.md').split('\n').length).toBeLessThanOrEqual(120);
});

test('every step at which a crash is tested has a row that says what happens', () => {
  const text = pages
    .filter((page) => page.includes('crashes'))
    .map(read)
    .join('\n');
  expect(FAILPOINTS.filter((step) => !text.includes(`\`${step}\``))).toEqual([]);
});

// Folders below these need no line of their own.
const CLOSED = [
  'core/gen',
  'core/db/migrations',
  'dashboard',
  'deploy',
  'proto',
  'test/unit',
  'test/fixtures',
  'docs',
];
const TREES = 'api bench cli core dashboard deploy docs inbound local proto scheduler sender test'.split(' ');

test('the map has a line for every folder, and no line for one that is gone', () => {
  const lines = [...read('docs/map.md').matchAll(/^\| `([\w/-]+)\/` \|/gm)].map((match) => match[1]!);
  const folders = TREES.flatMap(foldersWithFiles);
  expect(folders.filter((folder) => !lines.includes(folder))).toEqual([]);
  expect(lines.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
});

function foldersWithFiles(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory()).map((entry) => `${folder}/${entry.name}`);
  const own = CLOSED.includes(folder) || entries.some((entry) => entry.isFile()) ? [folder] : [];
  return CLOSED.includes(folder) ? own : [...own, ...below.flatMap(foldersWithFiles)];
}
