// The parts of the docs that are made from the code: `npm run docs` writes them, `-- --check` compares.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { capacityTable } from './capacity.ts';
import { dataModel } from './data-model.ts';
import { headerTable } from './header-table.ts';
import { settingsTable } from './settings-table.ts';

const ROOT = join(import.meta.dirname, '../..');
const PARTS = [
  { file: 'README.md', name: 'settings', source: 'core/base/config.ts', text: settingsTable() },
  { file: 'docs/raw.md', name: 'header-fields', source: 'core/mail/header-fields.ts', text: headerTable() },
  { file: 'docs/data-model.md', name: 'tables', source: 'core/db/schema/', text: await dataModel() },
  { file: 'docs/scaling.md', name: 'capacity', source: 'bench/results.json', text: capacityTable() },
];

for (const part of PARTS) {
  const path = join(ROOT, part.file);
  const written = readFileSync(path, 'utf8');
  const begin = `<!-- ${part.name}:begin (made by \`npm run docs\`) -->\n`;
  const before = written.slice(0, written.indexOf(begin) + begin.length);
  const current = before + part.text + written.slice(written.indexOf(`<!-- ${part.name}:end -->`));
  if (!process.argv.includes('--check')) writeFileSync(path, current);
  else if (current !== written) {
    console.error(`${part.file} is not what ${part.source} says: run npm run docs`);
    process.exitCode = 1;
  }
}
