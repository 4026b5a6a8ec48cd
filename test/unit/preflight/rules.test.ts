// The table of rules and the page that explains them say the same.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { anchorOf, makeCheck } from '../../../core/preflight/check.ts';
import { FREE_MAIL_DOMAINS } from '../../../core/preflight/free-mail-domains.ts';
import { RULES, type CheckId } from '../../../core/preflight/rules.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/deliverability.md'), 'utf8');
const rows = new Map(
  [...page.matchAll(/^\| <a id="(rule-[\w-]+)"><\/a>`(\w+)` \|.*$/gm)].map((match) => [match[2]!, match]),
);

test('every rule has its row with its sources, and there is no other', () => {
  expect([...rows.keys()].toSorted()).toEqual(Object.keys(RULES).toSorted());
  for (const [id, rule] of Object.entries(RULES)) {
    const [row, anchor] = rows.get(id)!;
    expect(anchor).toBe(anchorOf(id as CheckId));
    for (const source of rule.sources) expect(row).toContain(source);
  }
});

test('a check leads to its row, and shows nothing that could break a line', () => {
  const check = makeCheck('spf', 'fail', `a\u0000b\u202ec\n${'x'.repeat(1_000)}`, 'good');
  expect(check.docs).toBe('docs/deliverability.md#rule-spf');
  expect(check.found).toMatch(/^a b c x+…$/);
  expect(check.found.length).toBeLessThan(510);
});

test('free mail domains are written as they are compared, each with a source', () => {
  for (const [name, source] of FREE_MAIL_DOMAINS) {
    expect(name).toBe(name.toLowerCase());
    expect(source).toMatch(/^https:\/\//);
  }
});
