import { expect, test } from 'vitest';

import { seeded } from '../../../local/simulate/behaviour.ts';
import { canonical, spell } from '../../../prove/spelling.ts';

test('every spelling of an address means the same', () => {
  const random = seeded(7);
  const address = 'ok-7@xn--ok3-strae-n1a.test';
  const spellings = new Set(Array.from({ length: 500 }, () => spell(address, random)));
  expect(spellings.size).toBe(7);
  expect(new Set([...spellings].map(canonical))).toEqual(new Set([address]));
});
