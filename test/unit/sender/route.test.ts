import { describe, expect, test } from 'vitest';

import { newUuid } from '../../../core/base/ids.ts';
import { chooseRoute } from '../../../sender/deliver/route.ts';

const routes = [
  { name: 'direct', weight: 3 },
  { name: 'relay', weight: 1, url: 'smtp://relay.test' },
  { name: 'spare', weight: 0, url: 'smtp://spare.test' },
];

describe('chooseRoute', () => {
  test('shares messages by weight; weight 0 gets none', () => {
    const counts: Record<string, number> = {};
    for (let n = 0; n < 4000; n += 1) {
      const { name } = chooseRoute(routes, { id: newUuid(), esp: null });
      counts[name] = (counts[name] ?? 0) + 1;
    }
    expect(counts['direct']! / 4000).toBeCloseTo(0.75, 1);
    expect(counts['relay']! / 4000).toBeCloseTo(0.25, 1);
    expect(counts['spare']).toBeUndefined();
  });

  test('the same message takes the same route every time', () => {
    const id = newUuid();
    const names = new Set(Array.from({ length: 20 }, () => chooseRoute(routes, { id, esp: null }).name));
    expect(names.size).toBe(1);
  });

  test('a pinned route is taken, whatever its weight; one that is gone is not insisted on', () => {
    expect(chooseRoute(routes, { id: newUuid(), esp: 'spare' }).name).toBe('spare');
    expect(['direct', 'relay']).toContain(chooseRoute(routes, { id: newUuid(), esp: 'sold' }).name);
  });

  test('with no weight at all there is still a way', () => {
    expect(chooseRoute([{ name: 'only', weight: 0 }], { id: newUuid(), esp: null }).name).toBe('only');
  });
});
