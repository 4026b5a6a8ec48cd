// Mail in test/fixtures is as it was on the wire: git and editors have not changed its line ends.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../fixtures');

test('every .eml has CRLF at the end of each line, and no CR or LF elsewhere', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.eml'),
  );
  expect(files.length).toBeGreaterThan(300);
  const other = files.filter((file) =>
    /\r(?!\n)|(?<!\r)\n|[^\n]$/.test(readFileSync(join(FOLDER, file), 'latin1')),
  );
  expect(other).toEqual([]);
});
