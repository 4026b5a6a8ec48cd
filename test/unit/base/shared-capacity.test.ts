import { expect, test } from 'vitest';

import { createSharedCapacity } from '../../../core/base/shared-capacity.ts';

test('loops together take no more than there is, and who found none hears once of more', () => {
  const capacity = createSharedCapacity(10);
  const woken: string[] = [];
  expect(capacity.take(4, () => woken.push('one'))).toBe(4);
  expect(capacity.take(Infinity, () => woken.push('other'))).toBe(6);
  expect(capacity.take(1, () => woken.push('late'))).toBe(0);
  expect([capacity.used(), woken]).toEqual([10, []]);
  capacity.give(0); // nothing came back
  expect(woken).toEqual([]);
  capacity.give(2);
  capacity.give(2);
  expect([capacity.used(), woken]).toEqual([6, ['late']]);
  expect(capacity.take(100, () => {})).toBe(4);
});
