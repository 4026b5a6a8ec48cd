// The look-up cache: for how long an answer is believed, and what is forgotten.

import { expect, test } from 'vitest';

import { createLookupCache } from '../../../core/base/lookup-cache.ts';

test('it shares reads, believes for a while from the start of the read, forgets failures and the oldest', async () => {
  let now = 0;
  let reads = 0;
  const lookup = createLookupCache<number>({ maxAgeMs: 800, maxEntries: 2, now: () => now });
  const read = async () => ++reads;
  expect(await Promise.all([lookup('a', read), lookup('a', read)])).toEqual([1, 1]);
  now = 799;
  expect(await lookup('a', read)).toBe(1);
  now = 800;
  expect(await lookup('a', read)).toBe(2);
  await expect(lookup('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await lookup('b', read)).toBe(3);
  await lookup('c', read);
  expect(await lookup('a', read)).toBe(5);
});
