// The documents name files, commands, links, tests, steps and audit kinds; every one is there, and every step has its row.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

import { AUDIT_KINDS } from '../../../core/audit/audit-store.ts';
import { FAILPOINTS } from '../../../core/base/failpoint.ts';
import { DELIVERY_HEADERS } from '../../../core/webhook/sign.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const READMES = ['README.md', 'dashboard/README.md', 'sdk/python/README.md', 'sdk/typescript/README.md'];
const pages = [...READMES, 'CONTRIBUTING.md', 'SECURITY.md', ...markdown('docs')];

function markdown(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
}

test.each(pages)('%s names only files that exist', (page) => {
  const named = [
    ...read(page).matchAll(
      /`((?:api|cli|core|dashboard|sender|inbound|scheduler|local|bench|test|docs|proto|deploy)\/[\w./-]+\.\w+)`/g,
    ),
  ];
  const missing = named.map((match) => match[1]!).filter((file) => !existsSync(join(ROOT, file)));
  expect(missing).toEqual([]);
});

test.each(pages)('%s has only links that lead somewhere and commands that are there', (page) => {
  const text = read(page);
  const links = [...text.matchAll(/\]\(([^)#\s]+)/g)].map((match) => match[1]!);
  const local = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(local.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map((match) => match[1]!);
  expect(commands.filter((command) => !(command in scripts))).toEqual([]);
});

test('every picture in docs/screenshots is shown by a document', () => {
  const shown = pages.flatMap((page) =>
    [...read(page).matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map((match) => join(dirname(page), match[1]!)),
  );
  const pictures = readdirSync(join(ROOT, 'docs/screenshots')).map((file) => `docs/screenshots/${file}`);
  expect(pictures.filter((file) => !shown.includes(file))).toEqual([]);
});

test('receivers are told the headers of a delivery as the OpenAPI document tells them', () => {
  const rows = [
    ...read('docs/receiver-examples/README.md').matchAll(/^\| `X-Svc-Inbound-(\w+)` \| (.+) \|$/gm),
  ];
  expect(Object.fromEntries(rows.map(([, name, says]) => [name, says]))).toEqual(DELIVERY_HEADERS);
});

test('every kind of the audit log is documented, and can be chosen on its page', () => {
  const table = read('docs/people.md').split('## The audit log')[1]!;
  expect(AUDIT_KINDS.filter((kind) => !table.includes(`\`${kind}\``))).toEqual([]);
  const page = read('dashboard/src/pages/audit/audit-table.tsx');
  const ofTenants = AUDIT_KINDS.filter((kind) => kind !== 'admin_token'); // belongs to none
  expect(ofTenants.filter((kind) => !page.includes(`value: '${kind}'`))).toEqual([]);
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
  'sdk/python',
  'sdk/python-generator',
  'sdk/typescript',
  'test/fixtures',
  'docs',
];
const TREES = 'api bench cli core dashboard deploy docs inbound local proto scheduler sdk sender test'.split(
  ' ',
);

test('whoever begins at the README comes to every page', () => {
  const found = new Set(['README.md']);
  for (const page of found) {
    for (const other of pages) if (read(page).includes(other)) found.add(other);
  }
  const decisions = /^docs\/adr\//; // as a folder
  expect(pages.filter((page) => !found.has(page) && !decisions.test(page))).toEqual([]);
});

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
