// When the last message of a campaign will have gone out: its place in the forecast of its domain. Pure.

import type { ForecastRow } from '../warmup/forecast-store.ts';
import { planSending } from '../warmup/sending-plan.ts';
import { bulkCap } from '../warmup/tiers.ts';
import type { CampaignStats } from './campaign.ts';
import type { CampaignQueue } from './stats-store.ts';

/** The estimate with its assumption. `at` is null when the campaign would never finish as things stand. */
export interface Eta {
  at: Date | null;
  /** Campaign mail that the domain may send today. */
  perDay: number;
  assumption: string;
}

/** Estimates; null when nothing is left to send. `domain` is null when it is not verified, `queue` when nothing waits. */
export function estimateEnd(
  stats: Pick<CampaignStats, 'queued' | 'deferred'>,
  domain: ForecastRow | null,
  queue: CampaignQueue | null,
): Eta | null {
  if (stats.queued + stats.deferred === 0) return null;
  if (domain === null) return { at: null, perDay: 0, assumption: 'the domain is not verified' };
  const { waiting, ahead } = queue ?? { waiting: 0, ahead: 0 };
  const plan = planSending(waiting, { ...domain, waiting: { ...domain.waiting, bulk: ahead } });
  const perDay = bulkCap(domain.cap, domain.transactionalReserve, domain.bulkLimit);
  return { at: plan.left > 0 ? null : endOf(plan.days, domain), perDay, assumption: plan.assumption };
}

// The last day sends at its beginning. Today is now.
function endOf(days: { date: string }[], { today, now }: ForecastRow): Date {
  const last = days.at(-1)?.date ?? today;
  return last === today ? now : new Date(`${last}T00:00:00Z`);
}
