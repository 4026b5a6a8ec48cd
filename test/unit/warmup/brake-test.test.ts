// The sequential test: no good day trips it, a bad list does at once, and a good morning does not excuse a bad afternoon.

import { expect, test } from 'vitest';

import {
  addOutcomes,
  LEAST_ATTEMPTS,
  RECOVERED_SCORE,
  TRIP_SCORE,
  type Measure,
} from '../../../core/warmup/brake-test.ts';
import { seeded } from '../../../local/simulate/behaviour.ts';

const DAYS = 10_000;
const SENDS = 100_000;

// Sends until the brake would trip, or null. From one bad outcome to the next, where the score is at its highest.
function tripAt(
  measure: Measure,
  rate: number,
  sends: number,
  random: () => number,
  from = 0,
): number | null {
  let score = from;
  const perGood = Math.log(1 - rate);
  for (let sent = 0; ;) {
    const good = Math.floor(Math.log(1 - random()) / perGood);
    sent += good + 1;
    if (sent > sends) return null;
    score = addOutcomes(measure, score, good + 1, 1);
    if (score >= TRIP_SCORE) {
      // Before that many attempts nothing is decided; good ones meanwhile may take it back.
      if (sent >= LEAST_ATTEMPTS) return sent;
    }
  }
}

test.each([
  ['bounces', 0.02],
  ['blocks', 0.003],
  ['complaints', 0.0005],
] as const)('of 10,000 days of 100,000 sends with good %s (%d) at most 0.1 %% trip', (measure, rate) => {
  const random = seeded(14);
  let trips = 0;
  for (let day = 0; day < DAYS; day++) if (tripAt(measure, rate, SENDS, random) !== null) trips += 1;
  expect(trips).toBeLessThanOrEqual(DAYS / 1000);
});

test.each([
  ['bounces', 0.2],
  ['blocks', 0.2],
  ['complaints', 0.03],
] as const)('a list with bad %s (%d) trips right after 100 attempts', (measure, rate) => {
  const random = seeded(15);
  const trips = Array.from({ length: 1000 }, () => tripAt(measure, rate, SENDS, random)!).sort(
    (a, b) => a - b,
  );
  expect(trips[0]).toBeGreaterThanOrEqual(LEAST_ATTEMPTS);
  expect(trips[500]).toBeLessThan(measure === 'complaints' ? 350 : 130);
  expect(trips[989]).toBeLessThan(measure === 'complaints' ? 700 : 300);
});

test('a good morning excuses no bad afternoon', () => {
  const morning = addOutcomes('bounces', 0, 50_000, 500);
  const random = seeded(16);
  const trips = Array.from({ length: 1000 }, () => tripAt('bounces', 0.2, SENDS, random, morning)!);
  expect(Math.max(...trips)).toBeLessThan(700); // 140 bounces; without the floor it were 1,500
});

test('95 good outcomes in a row are a recovery, 90 are none', () => {
  expect(addOutcomes('bounces', 0, 90, 0)).toBeGreaterThan(RECOVERED_SCORE);
  expect(addOutcomes('bounces', 0, 96, 0)).toBeLessThan(RECOVERED_SCORE);
});
