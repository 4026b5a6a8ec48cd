// When the last message of a campaign will have gone out, as far as the warm-up cap tells. Pure.

import { bulkCap, capOfTier } from '../warmup/tiers.ts';
import type { CampaignStats } from './campaign.ts';
import type { SendingRoom } from './stats-store.ts';

/** The estimate with what it takes for granted. `at` is null when it never will as things stand. */
export interface Eta {
  at: Date | null;
  /** Campaign mail that the domain may send on a day. */
  perDay: number;
  assumption: string;
}

const DAY_MS = 86_400_000;

/** Estimates; null when nothing waits. */
export function estimateEnd(stats: CampaignStats, room: SendingRoom | null): Eta | null {
  if (stats.queued + stats.deferred === 0) return null;
  if (room === null || room.warmupState === 'paused')
    return { at: null, perDay: 0, assumption: 'the sending domain stays paused' };
  const perDay = bulkCap(room.cap ?? capOfTier(room.tier), room.transactionalReserve);
  const assumption = `the domain stays at tier ${room.tier} and all of its deferred mail goes first come, first served`;
  if (stats.deferred === 0 || room.waiting === 0) return { at: room.now, perDay, assumption };
  if (perDay === 0) return { at: null, perDay, assumption };
  const days = Math.ceil(room.waiting / perDay);
  return { at: new Date(room.midnight.getTime() + (days - 1) * DAY_MS), perDay, assumption };
}
