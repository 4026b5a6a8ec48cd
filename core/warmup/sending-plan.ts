// How many messages of a campaign leave on which day under the cap: the room of the forecast, filled day after day. Pure.

import { roomAhead, type ForecastDomain } from './forecast.ts';

/** One UTC day. */
interface PlannedDay {
  date: string;
  tier: number;
  /** Campaign mail that the domain may send on that day. */
  bulkCap: number;
  sends: number;
}

/** The plan of a campaign that begins now, or later. */
export interface SendingPlan {
  assumption: string;
  /** Days on which something leaves, the first one first; empty when nothing can be sent. */
  days: PlannedDay[];
  /** Messages that would still wait after the days that are looked at. */
  left: number;
}

/** Plans so many messages behind all that waits already, from the UTC date `from` on; null is today. */
export function planSending(
  recipients: number,
  domain: (ForecastDomain & { today: string }) | null,
  from: string | null = null,
): SendingPlan {
  if (domain === null) return { assumption: 'the domain is not verified yet', days: [], left: recipients };
  const { assumption, days: ahead } = roomAhead(domain, domain.today);
  let left = recipients;
  const days: PlannedDay[] = [];
  for (const { date, tier, bulkCap, bulkFree } of ahead) {
    if (left === 0) break;
    if (from !== null && date < from) continue;
    const sends = Math.min(left, bulkFree);
    left -= sends;
    if (sends > 0 || days.length > 0) days.push({ date, tier, bulkCap, sends });
  }
  return { assumption, days, left };
}
