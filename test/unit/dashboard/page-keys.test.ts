// The keys of the pages against the navigation.

import { expect, test } from 'vitest';

import { NAV_GROUPS } from '../../../dashboard/src/shell/nav-items.ts';
import { PAGE_KEYS } from '../../../dashboard/src/shell/page-keys.ts';

test('each key leads to one page of everyone, by the name that the navigation has for it', () => {
  const items = NAV_GROUPS.filter((group) => group.for === 'everyone').flatMap((group) => group.items);
  for (const { path, label } of PAGE_KEYS)
    expect(items).toContainEqual(expect.objectContaining({ path, label }));
  expect(new Set(PAGE_KEYS.map(({ key }) => key)).size).toBe(PAGE_KEYS.length);
  expect(PAGE_KEYS.map(({ key }) => key)).not.toContain('g');
});
