// How many messages of a campaign leave on which day under the cap: the tiers of the forecast, filled like the gate fills
// them. Pure.

import { capsAhead, type ForecastDomain } from '../warmup/forecast.ts';
import { bulkCap } from '../warmup/tiers.ts';

/** One UTC day. */
interface PlannedDay {
  date: string;
  tier: number;
  /** Campaign mail that the domain may send on that day. */
  bulkCap: number;
  sends: number;
}

/** The plan, if launched now. */
export interface SendingPlan {
  assumption: string;
  /** Days on which something leaves, today first; empty when nothing can be sent. */
  days: PlannedDay[];
  /** Messages that would still wait after the days that are looked at. */
  left: number;
}

const LOOK_AHEAD = 365; // days

/** What the domain's day and settings take off its cap. */
export interface BulkLimits {
  transactionalReserve: number;
  /** Of the sender rules; null: no such limit. */
  bulkLimit: number | null;
}

/** Fills day after day: what waits already goes first, and the reserve stays free. */
export function planSending(
  recipients: number,
  domain: (ForecastDomain & { today: string }) | null,
  { transactionalReserve, bulkLimit }: BulkLimits,
): SendingPlan {
  if (domain === null) return { assumption: 'the domain is not verified yet', days: [], left: recipients };
  const { assumption, days: ahead } = capsAhead(domain, domain.today, LOOK_AHEAD);
  let waiting = domain.waiting;
  let left = recipients;
  const days: PlannedDay[] = [];
  for (const [i, { date, tier, cap }] of ahead.entries()) {
    if (left === 0) break;
    const most = bulkCap(cap, transactionalReserve, bulkLimit);
    const free = i === 0 ? Math.max(0, Math.min(most, cap - domain.used)) : most;
    const earlier = Math.min(waiting, free);
    const sends = Math.min(left, free - earlier);
    waiting -= earlier;
    left -= sends;
    days.push({ date, tier, bulkCap: most, sends });
  }
  return { assumption, days, left };
}
