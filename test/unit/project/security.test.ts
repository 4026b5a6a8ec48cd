// docs/security.md promises nothing without a test that is there.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const section = (name: string) => page.split(`\n## ${name}`)[1]?.split('\n## ')[0] ?? '';
const rows = (text: string) =>
  [...text.matchAll(/^\| (.+) \|$/gm)]
    .map(([, row]) => row!.split(' | '))
    .filter(([first]) => !first!.startsWith('---'))
    .slice(1);
const promises = rows(section('What is promised, and which test shows it'));

test.each(promises.map(([against, promise, shown]) => [`${against}: ${promise}`, shown!]))(
  '%s',
  (_promise, shown) => {
    const named = [...shown.matchAll(/`([^`]+)`/g)].map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(0);
    expect(
      named.filter((file) => !/^test\/.+\.test\.ts$/.test(file) || !existsSync(join(ROOT, file))),
    ).toEqual([]);
  },
);

test('everybody who attacks is promised something, and every promise is against somebody who is listed, or all', () => {
  const attackers = rows(section('Who attacks')).map(([who]) => who!);
  const against = new Set(promises.map(([whom]) => whom!));
  expect(promises.length).toBeGreaterThan(20);
  expect([...against].filter((whom) => whom !== 'all').toSorted()).toEqual(attackers.toSorted());
});
