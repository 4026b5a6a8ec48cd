// Every boundary of the ramp, one row each. Counts are of 100,000 messages where a rate needs that many places.

import { describe, expect, test } from 'vitest';

import { decideRamp, type DayCounts } from '../../../core/warmup/decide-ramp.ts';

const N = 100_000;
const day = (more: Partial<DayCounts> = {}): DayCounts => ({
  attempted: N,
  delivered: N,
  bounced: 0,
  deliveredOnDay: N,
  complained: 0,
  ...more,
});
const bounces = (bounced: number) => day({ bounced, delivered: N - bounced, deliveredOnDay: N - bounced });

describe('from tier 4, active', () => {
  test.each<[string, DayCounts, string, number]>([
    ['nothing sent', day({ attempted: 0, delivered: 0, deliveredOnDay: 0 }), 'hold', 4],
    ['all well', day(), 'advance', 5],
    ['bounces 2.999 %', bounces(2_999), 'advance', 5],
    ['bounces exactly 3 %', bounces(3_000), 'pause', 4],
    ['bounces 3.001 %', bounces(3_001), 'pause', 4],
    ['bounces exactly 5 %', bounces(5_000), 'pause', 4],
    ['bounces 5.001 %', bounces(5_001), 'pause', 3],
    ['all bounced', bounces(N), 'pause', 3],
    ['complaints 0.099 %', day({ complained: 99 }), 'advance', 5],
    ['complaints 0.0999 %', day({ deliveredOnDay: 1_001_001, complained: 1_000 }), 'advance', 5],
    ['complaints exactly 0.1 %', day({ complained: 100 }), 'hold', 4],
    ['complaints 0.2 %', day({ complained: 200 }), 'hold', 4],
    ['complaints exactly 0.3 %', day({ complained: 300 }), 'hold', 4],
    ['complaints 0.301 %', day({ complained: 301 }), 'demote', 3],
    ['delivered exactly 95 %', day({ delivered: 95_000 }), 'hold', 4],
    ['delivered 95.001 %', day({ delivered: 95_001 }), 'advance', 5],
    ['delivered 94.999 %', day({ delivered: 94_999 }), 'hold', 4],
    [
      'bounces 3 % and complaints 1 %: the pause comes first',
      { ...bounces(3_000), complained: 1_000 },
      'pause',
      4,
    ],
    [
      '3 of 100 are 3 %',
      { attempted: 100, delivered: 97, bounced: 3, deliveredOnDay: 97, complained: 0 },
      'pause',
      4,
    ],
    [
      '1 of 50 is 2 %',
      { attempted: 50, delivered: 49, bounced: 1, deliveredOnDay: 49, complained: 0 },
      'advance',
      5,
    ],
    [
      '1 complaint of 1000',
      { attempted: 1000, delivered: 1000, bounced: 0, deliveredOnDay: 1000, complained: 1 },
      'hold',
      4,
    ],
    [
      '1 complaint of 1001',
      { attempted: 1001, delivered: 1001, bounced: 0, deliveredOnDay: 1001, complained: 1 },
      'advance',
      5,
    ],
    ['complaints about older mail only', day({ deliveredOnDay: 0, complained: 5 }), 'demote', 3],
  ])('%s', (_name, counts, action, toTier) => {
    expect(decideRamp({ tier: 4, state: 'active' }, counts)).toMatchObject({ action, toTier });
  });
});

test.each<[string, { tier: number; state: 'active' | 'held' | 'paused' }, DayCounts, string, number]>([
  ['tier 10 stays the top', { tier: 10, state: 'active' }, day(), 'hold', 10],
  ['tier 9 reaches it', { tier: 9, state: 'active' }, day(), 'advance', 10],
  ['tier 0 is not demoted by complaints', { tier: 0, state: 'active' }, day({ complained: 900 }), 'hold', 0],
  ['tier 0 is paused, not demoted, by bounces', { tier: 0, state: 'active' }, bounces(9_000), 'pause', 0],
  ['held: no advance', { tier: 4, state: 'held' }, day(), 'hold', 4],
  ['held: no demote', { tier: 4, state: 'held' }, day({ complained: 900 }), 'hold', 4],
  ['held: bounces pause, the tier stays', { tier: 4, state: 'held' }, bounces(9_000), 'pause', 4],
  ['paused: nothing', { tier: 4, state: 'paused' }, bounces(9_000), 'hold', 4],
])('%s', (_name, before, counts, action, toTier) => {
  expect(decideRamp(before, counts)).toMatchObject({ action, toTier });
});

test('a day decided late slows down but does not move up', () => {
  const before = { tier: 4, state: 'active' } as const;
  expect(decideRamp(before, day(), true)).toMatchObject({ action: 'hold', toTier: 4 });
  expect(decideRamp(before, day({ complained: 900 }), true)).toMatchObject({ action: 'demote', toTier: 3 });
  expect(decideRamp(before, bounces(4_000), true)).toMatchObject({ action: 'pause', toTier: 4 });
});

test('the reason names the rates', () => {
  const decision = decideRamp({ tier: 4, state: 'active' }, bounces(2_999));
  expect(decision.reason).toBe('healthy: bounces 2.999 %, complaints 0 %, delivered 97.001 %');
  expect(decision.rates).toEqual({ bounce_rate: 0.02999, complaint_rate: 0, delivery_rate: 0.97001 });
});
