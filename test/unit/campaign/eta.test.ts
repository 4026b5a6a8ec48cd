import { expect, test } from 'vitest';

import { estimateEnd } from '../../../core/campaign/eta.ts';
import type { CampaignQueue } from '../../../core/campaign/stats-store.ts';
import type { ForecastRow } from '../../../core/warmup/forecast-store.ts';

const now = new Date('2026-06-01T12:00:00Z');
const domain = (more: Partial<ForecastRow> = {}): ForecastRow => ({
  domainId: 'd',
  name: 'd.test',
  now,
  today: '2026-06-01',
  tier: 0,
  state: 'held', // at 50 a day
  used: 50,
  bulkUsed: 50,
  cap: 50,
  transactionalReserve: 0,
  bulkLimit: null,
  brake: 'off',
  waiting: { transactional: 0, bulk: 70 },
  lastDay: null,
  ...more,
});
const queue = (waiting: number, ahead = 0): CampaignQueue => ({ waiting, ahead });
const day = (date: string) => new Date(`${date}T00:00:00Z`);

test.each([
  ['nothing waits', 0, domain(), null, undefined],
  ['all of it is admitted', 5, domain(), null, now],
  ['today has room', 9, domain({ used: 0, bulkUsed: 0 }), queue(50), now],
  ['fits tomorrow', 50, domain(), queue(50), day('2026-06-02')],
  ['other campaign mail goes first', 70, domain(), queue(70, 50), day('2026-06-04')],
  [
    'a reserve of half doubles it',
    70,
    domain({ transactionalReserve: 50 }),
    queue(70, 50),
    day('2026-06-06'),
  ],
  [
    'waiting receipts go before it',
    50,
    domain({ waiting: { transactional: 30, bulk: 50 } }),
    queue(50),
    day('2026-06-03'),
  ],
  ['a healthy domain climbs', 350, domain({ state: 'active' }), queue(350), day('2026-06-03')],
  [
    'the brake holds it today',
    10,
    domain({ used: 0, bulkUsed: 0, brake: 'bulk' }),
    queue(10),
    day('2026-06-02'),
  ],
  ['a paused domain', 1, domain({ state: 'paused' }), queue(1), null],
  ['a domain that is not verified', 1, null, null, null],
] as const)('%s', (_, deferred, of, waits, at) => {
  const end = estimateEnd({ queued: 0, deferred }, of, waits);
  expect(end === null ? undefined : end.at).toEqual(at);
});
