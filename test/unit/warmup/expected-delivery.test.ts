import { expect, test } from 'vitest';

import { expected } from '../../../core/warmup/expected-delivery.ts';
import type { ForecastRow, Place } from '../../../core/warmup/forecast-store.ts';

const now = new Date('2026-06-01T12:00:00Z');
const at = (text: string) => new Date(`2026-06-${text}Z`);
const MIDNIGHT = at('02T00:00:00');
const domain = (more: Partial<ForecastRow> = {}): ForecastRow => ({
  domainId: 'd',
  name: 'd.test',
  now,
  today: '2026-06-01',
  tier: 0,
  state: 'active',
  used: 50,
  bulkUsed: 0,
  cap: 50,
  transactionalReserve: 0,
  bulkLimit: null,
  brake: 'off',
  waiting: { transactional: 300, bulk: 300 },
  lastDay: null,
  ...more,
});
const place = (more: Partial<Place> = {}): Place => ({
  domainId: 'd',
  stream: 'transactional',
  reason: 'warmup_cap',
  isAdmitted: false,
  ahead: 0,
  ...more,
});

// The caps of the coming days are 100, 250 and 500.
test.each<[string, ForecastRow, Place, Date, Date | null]>([
  ['the first that waits', domain(), place(), MIDNIGHT, MIDNIGHT],
  ['the last that the next day has room for', domain(), place({ ahead: 99 }), MIDNIGHT, MIDNIGHT],
  ['the one after it', domain(), place({ ahead: 100 }), MIDNIGHT, at('03T00:00:00')],
  [
    'campaign mail goes after transactional mail',
    domain(),
    place({ stream: 'bulk' }),
    MIDNIGHT,
    at('03T00:00:00'),
  ],
  [
    'a part of the cap is not for campaign mail',
    domain({ waiting: { transactional: 0, bulk: 0 }, transactionalReserve: 50 }),
    place({ stream: 'bulk', ahead: 60 }),
    MIDNIGHT,
    at('03T00:00:00'),
  ],
  [
    'a retry has its time',
    domain(),
    place({ isAdmitted: true, reason: 'remote_4xx' }),
    at('01T12:05:00'),
    at('01T12:05:00'),
  ],
  [
    'scheduled for a day with room',
    domain({ waiting: { transactional: 0, bulk: 0 } }),
    place({ reason: 'scheduled' }),
    at('03T08:00:00'),
    at('03T08:00:00'),
  ],
  [
    'scheduled for today, of which the cap is used',
    domain({ waiting: { transactional: 0, bulk: 0 } }),
    place({ reason: 'scheduled' }),
    at('01T18:00:00'),
    MIDNIGHT,
  ],
  [
    'one a minute goes beside a brake that holds all',
    domain({ brake: 'all' }),
    place({ reason: 'brake', isAdmitted: true, ahead: 264 }),
    MIDNIGHT,
    at('01T16:25:00'),
  ],
  [
    'campaign mail waits for the end of the brake',
    domain({ brake: 'bulk', used: 0, waiting: { transactional: 0, bulk: 9 } }),
    place({ reason: 'brake', isAdmitted: true, stream: 'bulk', ahead: 5 }),
    MIDNIGHT,
    MIDNIGHT,
  ],
  ['a paused domain', domain({ state: 'paused' }), place(), MIDNIGHT, null],
])('%s', (_, of, where, until, then) => {
  expect(expected(of, where, until)).toEqual(then);
});
