// The import rules find what they are there for: a planted violation of each kind.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const planted: string[] = [];

afterAll(() => {
  for (const file of planted) rmSync(file, { force: true });
});

test.each([
  ['sender/planted-service.ts', "import '../api/error-table.ts';", 'services-never-import-each-other'],
  ['core/base/planted-base.ts', "import '../mail/address.ts';", 'base-is-a-leaf'],
  ['core/mail/planted-mail.ts', "import '../db/pool.ts';", 'mail-is-pure'],
  [
    'core/tenant/planted-noun.ts',
    "import '../message/submit-message.ts';",
    'core-tenant-uses-only-lower-nouns',
  ],
  ['core/message/planted-face.ts', "import 'hono';", 'core-knows-no-face'],
  [
    'dashboard/src/ui/planted-service.tsx',
    "import '../../../core/base/ids.ts';",
    'dashboard-imports-nothing-of-the-services',
  ],
])('%s with %s breaks %s', (file, line, rule) => {
  const path = join(ROOT, file);
  mkdirSync(dirname(path), { recursive: true });
  planted.push(path);
  writeFileSync(path, `${line}\nexport const planted = true;\n`);
  let output = '';
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/depcruise'), ['--config', '.dependency-cruiser.cjs', file], {
      cwd: ROOT,
      stdio: 'pipe',
    });
  } catch (error) {
    output = String((error as { stdout: Buffer }).stdout);
  }
  expect(output).toContain(rule);
});
