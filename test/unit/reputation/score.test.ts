// The trust score: its parts, their sum, and that the right things raise it.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  scoreParts,
  trustScore,
  WEIGHTS,
  type PartName,
  type ScoreInput,
} from '../../../core/reputation/score.ts';

const GOOD: ScoreInput = {
  sent: 10_000,
  delivered: 9_950,
  bounced: 50,
  complained: 3,
  opened: 3_000,
  clicked: 300,
  found: { dkim: true, spf: true, dmarc: true },
  ageDays: 90,
  tier: 10,
  paused: false,
};
const of = (change: Partial<ScoreInput>) => scoreParts({ ...GOOD, ...change });
const partOf = (name: PartName, change: Partial<ScoreInput> = {}) =>
  of(change).find((one) => one.part === name)!;
const scoreOf = (change: Partial<ScoreInput>) => trustScore(of(change), change.paused ?? false);

test('the weights make 100, and a good domain has them all', () => {
  expect(Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBe(100);
  expect(scoreOf({})).toBe(100);
  expect(of({}).map((part) => part.advice)).toEqual(of({}).map(() => null));
});

test.each([
  ['complaints', { complained: 30 }, 0],
  ['complaints', { complained: 20 }, 15],
  ['bounces', { bounced: 1_100 }, 0],
  ['bounces', { bounced: 600 }, 12.5],
  ['delivery', { delivered: 8_000 }, 0],
  ['authentication', { found: { dkim: true, spf: false, dmarc: false } }, 5],
  ['age', { ageDays: 15 }, 2.5],
  ['tier', { tier: 5 }, 2.5],
  ['engagement', { opened: 0, clicked: 0 }, 0.1],
] satisfies [PartName, Partial<ScoreInput>, number][])('%s falls with %j', (name, change, points) => {
  const part = partOf(name, change);
  expect(part.points).toBeCloseTo(points, 0);
  expect(part.advice).toMatch(/^[A-Z0-9].*\.$/);
});

test('clicks alone show engagement too: pictures may be blocked', () => {
  expect(partOf('engagement', { opened: 0, clicked: 250 }).advice).toBeNull();
});

test('a new domain stands in the middle, and one bad message does not end it', () => {
  const fresh = {
    sent: 0,
    delivered: 0,
    bounced: 0,
    complained: 0,
    opened: 0,
    clicked: 0,
    ageDays: 0,
    tier: 0,
  };
  const score = scoreOf(fresh);
  expect(score).toBeGreaterThan(40);
  expect(score).toBeLessThan(60);
  expect(scoreOf({ ...fresh, sent: 3, delivered: 2, bounced: 1 })).toBeGreaterThan(score - 10);
  expect(scoreOf({ ...fresh, sent: 500, delivered: 500, opened: 100 })).toBeGreaterThan(score + 15);
  expect(of(fresh).every((part) => part.advice !== null || part.part === 'authentication')).toBe(true);
});

test('a paused domain has at most half', () => {
  expect(scoreOf({ paused: true })).toBe(50);
});

const counts = fc
  .record({
    delivered: fc.nat(50_000),
    bounced: fc.nat(50_000),
    waiting: fc.nat(1_000),
    complained: fc.nat(500),
    opened: fc.nat(50_000),
    clicked: fc.nat(50_000),
    ageDays: fc.nat(1_000),
    tier: fc.integer({ min: 0, max: 10 }),
    paused: fc.boolean(),
  })
  .map((made) => ({ ...made, sent: made.delivered + made.bounced + made.waiting }));

test('always 0 to 100, the sum of its parts; worse never scores better', () => {
  fc.assert(
    fc.property(counts, (input) => {
      const parts = of(input);
      const score = trustScore(parts, input.paused);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
      expect(Number.isInteger(score)).toBe(true);
      for (const part of parts) expect(part.advice === null).toBe(part.points === part.max_points);
      for (const worse of [{ complained: input.complained + 5 }, { bounced: input.bounced + 5 }]) {
        expect(trustScore(of({ ...input, ...worse }), input.paused)).toBeLessThanOrEqual(score);
      }
    }),
  );
});
