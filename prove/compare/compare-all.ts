// All mail servers that are compared, one after the other, as a table.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { compare, type Compared, type Comparison, type Surroundings } from './compare.ts';
import { startHaraka } from './haraka.ts';
import type { MailServer } from './mail-server.ts';
import { postfixMissing, startPostfix } from './postfix.ts';
import { startPostrider } from './postrider.ts';

const PER_SECOND = 25; // three API keys may send 30
const COLUMNS: [string, keyof Compared][] = [
  ['', 'name'],
  ['kills', 'kills'],
  ['freezes', 'freezes'],
  ['accepted', 'accepted'],
  ['lost', 'lost'],
  ['came twice', 'repeats'],
  ['without a fault there', 'unexplained'],
  ['all came after, s', 'settledAfter'],
];

/** Compares all, and writes `compare.json`. Returns whether Postrider lost nothing and repeated nothing without a fault. */
export async function compareAll(input: Omit<Comparison, 'perSecond'> & { root: string }): Promise<boolean> {
  const how = { ...input, perSecond: PER_SECOND };
  const ours = (at: Surroundings) => startPostrider({ ...at, folder: input.root, say: how.say });
  const others: ((at: Surroundings) => Promise<MailServer>)[] = [startHaraka];
  const missing = postfixMissing();
  if (missing === null) others.unshift(startPostfix);
  else how.say(`left out: ${missing}`);
  const rows: Compared[] = [];
  for (const open of [ours, ...others]) rows.push(await compare(open, how));
  writeFileSync(join(how.folder, 'compare.json'), JSON.stringify({ ...input, rows }, null, 2));
  how.say(table(rows));
  const [first] = rows as [Compared];
  return first.lost === 0 && first.unexplained === 0;
}

function table(rows: Compared[]): string {
  const lines = [COLUMNS.map(([title]) => title), COLUMNS.map(() => '---')];
  for (const row of rows) lines.push(COLUMNS.map(([, field]) => `${row[field] ?? 'never'}`));
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
