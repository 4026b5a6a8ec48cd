// The table of settings in README.md, made from core/base/config.ts: `npm run docs` writes it, `-- --check` compares.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { settings } from '../core/base/config.ts';

const FILE = join(import.meta.dirname, '../README.md');
const BEGIN = '<!-- settings:begin (made by `npm run docs`) -->\n';
const END = '<!-- settings:end -->';

const readme = readFileSync(FILE, 'utf8');
const before = readme.slice(0, readme.indexOf(BEGIN) + BEGIN.length);
const after = readme.slice(readme.indexOf(END));
const current = before + table() + after;

if (process.argv.includes('--check')) {
  if (current !== readme) {
    console.error('README.md: the table of settings is not what core/base/config.ts says: run npm run docs');
    process.exit(1);
  }
} else {
  writeFileSync(FILE, current);
}

function table(): string {
  const rows = Object.entries(settings.shape)
    .filter(([name]) => !name.startsWith('TEST_'))
    .map(([name, schema]) => `| \`${name}\` | ${defaultOf(schema)} | ${schema.description ?? ''} |\n`);
  return `| setting | default | what it is |\n|---|---|---|\n${rows.join('')}`;
}

// The default as one would write it; an empty cell when the setting may be absent, "required" when it may not.
function defaultOf(schema: (typeof settings.shape)[keyof typeof settings.shape]): string {
  if (!schema.safeParse(undefined).success) return 'required';
  const json = JSON.stringify(schema, (key, value: unknown) => (key === 'defaultValue' ? value : value));
  const found = /"defaultValue":("(?:[^"\\]|\\.)*"|[^,}]+)/.exec(json);
  const value = found ? (JSON.parse(found[1]!) as unknown) : '';
  return value === '' ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
