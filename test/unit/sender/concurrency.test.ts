import { describe, expect, test } from 'vitest';

import { createConcurrency } from '../../../sender/smtp/concurrency.ts';

describe('concurrency of one destination', () => {
  test('grows with every success at first, up to the maximum', () => {
    const one = createConcurrency(20);
    expect(one.limit(0)).toBe(4);
    for (let n = 0; n < 100; n += 1) one.worked();
    expect(one.limit(0)).toBe(20);
  });

  test('halves on a push-back, once per burst, and then grows by one per round', () => {
    const one = createConcurrency(20);
    for (let n = 0; n < 100; n += 1) one.worked();
    for (let n = 0; n < 20; n += 1) one.pushedBack(1000 + n);
    expect(one.limit(1100)).toBe(10);
    for (let n = 0; n < 9; n += 1) one.worked();
    expect(one.limit(1100)).toBe(10);
    for (let n = 0; n < 3; n += 1) one.worked();
    expect(one.limit(1100)).toBe(11);
  });

  test('never falls below one', () => {
    const one = createConcurrency(20);
    for (let n = 0; n < 50; n += 1) one.pushedBack(n * 2000);
    expect(one.limit(100_000)).toBe(1);
  });

  test('rests when nothing can be reached, longer each time, and then tries with one', () => {
    const one = createConcurrency(20);
    one.unreachable(1000);
    one.unreachable(1001); // began with the first
    expect(one.limit(1002)).toBe(0);
    expect(one.restsUntil()).toBe(16_000);
    expect(one.limit(16_000)).toBe(1);
    one.unreachable(16_000);
    expect(one.restsUntil()).toBe(46_000);
    one.worked();
    expect(one.restsUntil()).toBe(0);
    expect(one.limit(46_000)).toBeGreaterThan(1);
  });

  test('rests ten minutes at most', () => {
    const one = createConcurrency(20);
    let now = 0;
    for (let n = 0; n < 30; n += 1) {
      one.unreachable(now);
      expect(one.restsUntil() - now).toBeLessThanOrEqual(600_000);
      now = one.restsUntil();
    }
  });
});
