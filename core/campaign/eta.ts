// When the last message of a campaign will have gone out, as far as the warm-up cap shows. Pure.

import { bulkCap, capOfTier } from '../warmup/tiers.ts';
import type { CampaignStats } from './campaign.ts';
import type { SendingCapacity } from './stats-store.ts';

/** The estimate with its assumptions. `at` is null when the campaign would never finish as things stand. */
export interface Eta {
  at: Date | null;
  /** Campaign mail that the domain may send on a day. */
  perDay: number;
  assumption: string;
}

const DAY_MS = 86_400_000;

/** Estimates; null when nothing waits. */
export function estimateEnd(stats: CampaignStats, capacity: SendingCapacity | null): Eta | null {
  if (stats.queued + stats.deferred === 0) return null;
  if (capacity === null || capacity.warmupState === 'paused')
    return { at: null, perDay: 0, assumption: 'the sending domain stays paused' };
  const perDay = bulkCap(
    capacity.cap ?? capOfTier(capacity.tier),
    capacity.transactionalReserve,
    capacity.bulkLimit,
  );
  const assumption = `the domain stays at tier ${capacity.tier} and all of its deferred mail goes first come, first served`;
  if (stats.deferred === 0 || capacity.waiting === 0) return { at: capacity.now, perDay, assumption };
  if (perDay === 0) return { at: null, perDay, assumption };
  const days = Math.ceil(capacity.waiting / perDay);
  return { at: new Date(capacity.midnight.getTime() + (days - 1) * DAY_MS), perDay, assumption };
}
