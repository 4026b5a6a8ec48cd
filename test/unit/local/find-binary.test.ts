import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { findBinary, parseVersion, type BinarySpec } from '../../../local/servers/find-binary.ts';
import { installLine } from '../../../local/servers/install.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const spec = (folders: string[], more: Partial<BinarySpec> = {}): BinarySpec => ({
  name: 'mailstore',
  atLeast: [15, 2],
  folders,
  ...more,
});

async function program(file: string, output: string, exitCode = 0): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho "${output}"\nexit ${exitCode}\n`);
  await chmod(file, 0o755);
}

test.each([
  ['postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)', [15, 18]],
  ['postgres (PostgreSQL) 17.2', [17, 2]],
  ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64', [7, 0]],
  ['nats-server: v2.9.10', [2, 9]],
])('the version in %s', (text, version) => {
  expect(parseVersion(text)).toEqual(version);
});

test('a text without a version has none', () => {
  expect(parseVersion('usage: mailstore [options]')).toBeUndefined();
});

test('the first program on PATH that is new enough wins over the known folders', async () => {
  const folder = await tempFolder();
  await program(join(folder, 'old/mailstore'), 'mailstore 15.1');
  await program(join(folder, 'good/mailstore'), 'mailstore 15.2');
  await program(join(folder, 'known/mailstore'), 'mailstore 16.0');
  const found = await findBinary(spec([join(folder, 'known')]), `${folder}/old:${folder}/good`);
  expect(found).toEqual({
    path: join(folder, 'good/mailstore'),
    folder: join(folder, 'good'),
    version: [15, 2],
  });
});

test('a file that does not run, fails, or lacks its companions is passed over', async () => {
  const folder = await tempFolder();
  await mkdir(join(folder, 'text'), { recursive: true });
  await writeFile(join(folder, 'text/mailstore'), 'not a program');
  await program(join(folder, 'fails/mailstore'), 'mailstore 16.0', 1);
  await program(join(folder, 'alone/mailstore'), 'mailstore 16.0');
  const folders = ['text', 'fails', 'alone'].map((name) => join(folder, name));
  expect(await findBinary(spec(folders, { companions: ['makestore'] }), '')).toBeUndefined();
});

test('a star in a folder finds the newest version first, by number', async () => {
  const folder = await tempFolder();
  for (const major of [9, 15, 100])
    await program(join(folder, `${major}/bin/mailstore`), `mailstore ${major}.5`);
  const found = await findBinary(spec([join(folder, '*/bin')]), '');
  expect(found?.version).toEqual([100, 5]);
});

test('a link keeps its own name, and the companions are looked for where it leads', async () => {
  const folder = await tempFolder();
  await program(join(folder, 'real/mailstore'), 'mailstore 15.9');
  await program(join(folder, 'real/makestore'), 'makestore');
  await mkdir(join(folder, 'links'));
  await symlink(join(folder, 'real/mailstore'), join(folder, 'links/mailstore'));
  const found = await findBinary(spec([], { companions: ['makestore'] }), join(folder, 'links'));
  expect(found?.path).toBe(join(folder, 'links/mailstore'));
  expect(found?.folder).toBe(join(folder, 'real'));
});

test('without the right to install, one line says how', () => {
  const line = installLine(
    [
      { apt: 'postgresql', brew: 'postgresql@17' },
      { apt: 'redis-server', brew: 'redis' },
    ],
    true,
  );
  expect(line).toContain('sudo apt-get install --no-install-recommends postgresql redis-server');
});
