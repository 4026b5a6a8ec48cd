import { expect, test } from 'vitest';

import type { CampaignStats } from '../../../core/campaign/campaign.ts';
import { estimateEnd } from '../../../core/campaign/eta.ts';
import type { SendingCapacity } from '../../../core/campaign/stats-store.ts';

const midnight = new Date('2026-06-02T00:00:00Z');
const now = new Date('2026-06-01T12:00:00Z');
const capacity = (more: Partial<SendingCapacity> = {}): SendingCapacity => ({
  warmupState: 'active',
  tier: 0,
  transactionalReserve: 0,
  bulkLimit: null,
  cap: 50,
  waiting: 120,
  midnight,
  now,
  ...more,
});
const stats = (more: Partial<CampaignStats>) => ({ queued: 0, deferred: 0, ...more }) as CampaignStats;

test.each([
  ['nothing waits', stats({}), capacity(), undefined],
  ['all of it is admitted', stats({ queued: 5 }), capacity({ waiting: 0 }), now],
  ['fits tomorrow', stats({ deferred: 50 }), capacity({ waiting: 50 }), midnight],
  ['three days of 50', stats({ deferred: 70 }), capacity(), new Date('2026-06-04T00:00:00Z')],
  [
    'a reserve of half doubles it',
    stats({ deferred: 70 }),
    capacity({ transactionalReserve: 50 }),
    new Date('2026-06-06T00:00:00Z'),
  ],
  [
    'before today’s first send the tier gives the cap',
    stats({ deferred: 1 }),
    capacity({ cap: null, tier: 2 }),
    midnight,
  ],
  ['a paused domain', stats({ deferred: 1 }), capacity({ warmupState: 'paused' }), null],
  ['a domain that is gone', stats({ queued: 1 }), null, null],
] as const)('%s', (_, counted, of, at) => {
  const end = estimateEnd(counted, of);
  expect(end === null ? undefined : end.at).toEqual(at);
});
