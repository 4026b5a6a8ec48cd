// The planted bugs stay patches of the code as it is.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { RULES } from '../../../prove/audit/finding.ts';
import { PLANS } from '../../../prove/bugs/plans.ts';
import { isFoundBy, readBug } from '../../../prove/bugs/read-bug.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'prove/bugs');
const patches = readdirSync(folder).filter((name) => name.endsWith('.patch'));

test('each has a run that provokes it', () => {
  expect(patches.map((name) => name.replace('.patch', '')).toSorted()).toEqual(Object.keys(PLANS).toSorted());
});

test.each(patches)('%s applies, and says what it breaks and which rule finds it', (name) => {
  execFileSync('git', ['apply', '--check', join(folder, name)], { cwd: root, stdio: 'pipe' });
  const bug = readBug(join(folder, name));
  expect(bug.what).toMatch(/\.$/);
  expect(RULES).toContain(bug.rule);
  expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(/^\+.*\b(bug|planted)\b/m);
});

test('a bug is found by what its rule says of it, and not by another finding of the rule', () => {
  const bug = readBug(join(folder, '01-cap-plus-one.patch'));
  const finding = (over: number) => ({
    rule: 'cap' as const,
    about: 'shop.test 2026-03-10',
    what: `receivers got ${50 + over} messages of shop.test on 2026-03-10, ${over} over its cap of 50`,
    t: null,
  });
  expect(isFoundBy(bug, finding(1))).toBe(true);
  expect(isFoundBy(bug, finding(11))).toBe(false);
  expect(isFoundBy(bug, { ...finding(1), rule: 'repeats' })).toBe(false);
});
