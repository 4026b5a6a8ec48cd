import { expect, test } from 'vitest';

import { createDrainRate } from '../../../sender/smtp/drain-rate.ts';

function endEvery(
  rate: ReturnType<typeof createDrainRate>,
  gapMs: number,
  from: number,
  until: number,
): void {
  for (let now = from + gapMs; now <= until; now += gapMs) rate.ended(now);
}

test('nobody knows how fast a destination is until messages waited for it', () => {
  const rate = createDrainRate();
  expect(rate.perSecond(0)).toBeNull();
  for (const now of [1_000, 2_000, 60_000]) rate.ended(now);
  expect(rate.perSecond(60_000)).toBeNull();
});

test('it is measured while messages wait, and kept however long none does', () => {
  const rate = createDrainRate();
  rate.waits(true, 10_000);
  endEvery(rate, 5, 10_000, 12_000);
  rate.waits(false, 12_000);
  expect(rate.perSecond(12_000)).toBeCloseTo(200, 0);
  expect(rate.perSecond(900_000)).toBeCloseTo(200, 0);
});

test('a little trickle between two bursts does not make the destination look slow', () => {
  const rate = createDrainRate();
  rate.waits(true, 0);
  endEvery(rate, 5, 0, 1_000);
  rate.waits(false, 1_000);
  endEvery(rate, 10_000, 1_000, 100_000);
  rate.waits(true, 100_000);
  expect(rate.perSecond(100_100)).toBeCloseTo(200, 0);
});

test('a destination that stands still is known to be slow', () => {
  const rate = createDrainRate();
  rate.waits(true, 0);
  endEvery(rate, 5, 0, 1_000);
  expect(rate.perSecond(31_000)).toBeLessThanOrEqual(100);
  expect(rate.perSecond(91_000)).toBeLessThanOrEqual(50);
});

test('one that became faster is believed within a fraction of a second', () => {
  const rate = createDrainRate();
  rate.waits(true, 0);
  endEvery(rate, 500, 0, 10_000);
  endEvery(rate, 2, 10_000, 10_500);
  expect(rate.perSecond(10_500)).toBeGreaterThan(100);
});
