// The import rules find what they are there for: a planted violation of each kind, in a small tree of its own.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

import { toolProgram } from '../../local/tools/tools.ts';
import { tempFolder } from '../harness/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

const PLANTED = [
  ['sender/planted.ts', 'api/error-table.ts', 'services-never-import-each-other'],
  ['core/base/planted.ts', 'core/mail/address.ts', 'base-is-a-leaf'],
  ['core/mail/planted.ts', 'core/db/pool.ts', 'mail-is-pure'],
  ['core/tenant/planted.ts', 'core/message/submit-message.ts', 'core-tenant-uses-only-lower-nouns'],
  ['api/graphql/planted.ts', 'api/rest/route.ts', 'graphql-imports-nothing-of-rest'],
  ['api/rest/planted.ts', 'api/graphql/builder.ts', 'rest-imports-nothing-of-graphql'],
  ['core/message/planted.ts', 'node_modules/hono/dist/index.js', 'core-knows-no-api-surface'],
  ['dashboard/src/ui/planted.tsx', 'core/base/ids.ts', 'dashboard-imports-nothing-of-the-services'],
] as const;

test('every planted violation is found, and nothing else', async () => {
  const tree = await tempFolder();
  const write = (file: string, text: string) => {
    mkdirSync(join(tree, dirname(file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  };
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json'])
    copyFileSync(join(ROOT, file), join(tree, file));
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  for (const [file, imported] of PLANTED) {
    const module = imported.startsWith('node_modules/')
      ? imported.split('/')[1]!
      : relative(dirname(file), imported);
    write(file, `import '${module}';\nexport const planted = true;\n`);
    if (!imported.startsWith('node_modules/')) write(imported, 'export const innocent = true;\n');
  }
  const found = violations(tree, ['api', 'core', 'dashboard', 'sender']);
  expect(found).toEqual(PLANTED.map(([file, , rule]) => `${file} ${rule}`).toSorted());
});

function violations(tree: string, folders: string[]): string[] {
  const output = execFileSync(
    toolProgram('depcruise'),
    ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders],
    { cwd: tree, stdio: 'pipe' },
  );
  const { summary } = JSON.parse(output.toString()) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ from, rule }) => `${from} ${rule.name}`).toSorted();
}
