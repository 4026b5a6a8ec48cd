// Which buckets a sender owns.

import { expect, test } from 'vitest';

import { newUuid } from '../../../core/base/ids.ts';
import { ownedBy } from '../../../sender/needed-buckets.ts';

const buckets = ['public', ...Array.from({ length: 64 }, (_, n) => `b${n + 1}`)];
const ids = (count: number) => Array.from({ length: count }, newUuid).toSorted();

test('each bucket has two owners among fifty senders, the first bucket all of them, and none has far too many', () => {
  const live = ids(50);
  const owned = live.map((id) => ownedBy(id, buckets, live));
  for (const bucket of buckets)
    expect(owned.filter((own) => own.includes(bucket))).toHaveLength(bucket === 'public' ? 50 : 2);
  expect(Math.max(...owned.map(({ length }) => length))).toBeLessThan(16); // 3.6 is the mean, 12 the most of 2,000 tries
});

test('of one or two senders each owns all', () => {
  for (const live of [ids(1), ids(2)])
    for (const id of live) expect(ownedBy(id, buckets, live)).toEqual(buckets);
});

test('a sender that is not among those that live owns the first bucket alone', () => {
  expect(ownedBy(newUuid(), buckets, ids(3))).toEqual(['public']);
});
