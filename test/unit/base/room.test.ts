import { expect, test } from 'vitest';

import { createRoom } from '../../../core/base/room.ts';

test('loops together take no more than there is, and who found none hears once of more', () => {
  const room = createRoom(10);
  const woken: string[] = [];
  expect(room.take(4, () => woken.push('one'))).toBe(4);
  expect(room.take(Infinity, () => woken.push('other'))).toBe(6);
  expect(room.take(1, () => woken.push('late'))).toBe(0);
  expect([room.used(), woken]).toEqual([10, []]);
  room.give(0); // nothing came back
  expect(woken).toEqual([]);
  room.give(2);
  room.give(2);
  expect([room.used(), woken]).toEqual([6, ['late']]);
  expect(room.take(100, () => {})).toBe(4);
});
