// The plan of 30 days and the forecast beside it.

import { describe, expect, test } from 'vitest';

import { forecast, type ForecastDomain } from '../../../core/warmup/forecast.ts';
import { planDays, type RampStrategy } from '../../../core/warmup/schedule.ts';

const plan = (strategy: RampStrategy, totalTargetRecipients = 1_000_000) =>
  planDays({ startDate: '2026-12-20', totalTargetRecipients, strategy });

test('30 days: tiers, dates over the turn of the year, kinds of mail', () => {
  const days = plan('standard');
  expect(days.map((day) => day.day)).toEqual(Array.from({ length: 30 }, (_, i) => i));
  expect(days.map((day) => day.tier)).toEqual([
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    ...Array(7).fill(7),
    ...Array(7).fill(8),
    ...Array(7).fill(9),
    10,
    10,
  ]);
  expect(days.map((day) => day.mailKind)).toEqual([
    ...Array(7).fill('transactional'),
    ...Array(7).fill('engaged'),
    ...Array(16).fill('marketing'),
  ]);
  expect([days[0]!.date, days[11]!.date, days[12]!.date, days[29]!.date]).toEqual([
    '2026-12-20',
    '2026-12-31',
    '2027-01-01',
    '2027-01-18',
  ]);
});

test.each<[RampStrategy, number[]]>([
  ['standard', [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000]],
  ['conservative', [25, 50, 125, 250, 500, 1250, 2500, 5000, 12_500, 25_000, 50_000]],
  ['aggressive', [75, 150, 375, 750, 1500, 3750, 7500, 15_000, 37_500, 75_000, 150_000]],
])('%s plans the cap of each tier times its factor', (strategy, expected) => {
  const days = plan(strategy);
  expect([0, 1, 2, 3, 4, 5, 6, 7, 14, 21, 28].map((day) => days[day]!.plannedSends)).toEqual(expected);
});

test('no day plans more than the whole target', () => {
  expect(plan('standard', 70).map((day) => day.plannedSends)).toEqual([50, ...Array(29).fill(70)]);
});

describe('forecast', () => {
  const healthy = { attempted: 100, delivered: 99, bounced: 1, deliveredOnDay: 99, complained: 0 };
  const domain = (more: Partial<ForecastDomain> = {}): ForecastDomain => ({
    tier: 2,
    state: 'active',
    used: 0,
    bulkUsed: 0,
    cap: 250,
    transactionalReserve: 0,
    bulkLimit: null,
    brake: 'off',
    waiting: { transactional: 0, bulk: 0 },
    lastDay: healthy,
    ...more,
  });
  const want = (plannedSends: number, date = '2026-12-20') => [{ day: 0, date, plannedSends }];
  const on = (given: ForecastDomain, plannedSends: number) =>
    forecast(given, want(plannedSends), '2026-12-20').days[0]!.possibleOn;

  test('a healthy domain gains a tier a day', () => {
    expect(on(domain(), 250)).toBe('2026-12-20');
    expect(on(domain(), 251)).toBe('2026-12-21');
    expect(on(domain(), 100_000)).toBe('2026-12-28');
    expect(on(domain(), 100_001)).toBeNull();
  });
  test('never before its own date', () => {
    expect(forecast(domain(), want(10, '2027-02-01'), '2026-12-20').days[0]!.possibleOn).toBe('2027-02-01');
  });
  test('what was used today and what waits come off first', () => {
    expect(on(domain({ used: 100 }), 200)).toBe('2026-12-21');
    const waiting = (transactional: number) => domain({ waiting: { transactional, bulk: 0 } });
    expect(on(waiting(1450), 300)).toBe('2026-12-22');
    expect(on(waiting(1451), 300)).toBe('2026-12-23');
    expect(on(waiting(1750), 1)).toBe('2026-12-23');
    expect(on(domain({ waiting: { transactional: 0, bulk: 100 }, transactionalReserve: 80 }), 200)).toBe(
      '2026-12-20',
    );
  });
  test.each<[string, Partial<ForecastDomain>, string | null, RegExp]>([
    ['held', { state: 'held' }, null, /held at 2/],
    ['paused', { state: 'paused' }, null, /stays paused/],
    ['borderline', { lastDay: { ...healthy, delivered: 95 } }, null, /stays 2/],
    ['complained', { lastDay: { ...healthy, complained: 2 } }, null, /falls daily/],
    ['bouncing', { lastDay: { ...healthy, bounced: 4 } }, null, /is paused/],
    ['nothing known', { lastDay: null }, '2026-12-21', /every day is healthy/],
  ])('%s', (_name, more, expected, words) => {
    const result = forecast(domain(more), want(500), '2026-12-20');
    expect(result.days[0]!.possibleOn).toBe(expected);
    expect(result.assumption).toMatch(words);
  });
});
