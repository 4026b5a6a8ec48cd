// When a planned volume will really be possible: the ramp of decide-ramp, run ahead from where a domain stands.
// Pure. A plan says what was hoped; this says what the domain's tier, rates and backlog will allow, and under which
// assumption, because no forecast knows the bounces of tomorrow.

import { decideRamp, type DayCounts } from './decide-ramp.ts';
import { capOfTier, TOP_TIER } from './tiers.ts';

/** How a domain stands today. */
export interface ForecastDomain {
  tier: number;
  state: 'active' | 'held' | 'paused';
  /** Admissions used today, and the cap of today. */
  used: number;
  cap: number;
  /** Deferred messages that are not admitted yet: they go first. */
  waiting: number;
  /** Counts of the last day that was decided about; null when there is none. */
  lastDay: DayCounts | null;
}

/** A day that was planned, and the day on which that volume is possible. */
export interface ForecastDay {
  day: number;
  date: string;
  plannedSends: number;
  /** YYYY-MM-DD; null when it never is under the assumption, within the look-ahead. */
  possibleOn: string | null;
}

/** A forecast with its assumptions. */
export interface Forecast {
  assumption: string;
  days: ForecastDay[];
}

const LOOK_AHEAD = 365; // days
const DAY_MS = 86_400_000;

/** Says for each planned day when its volume will be possible, not before its own date. `today` is a UTC date. */
export function forecast(
  domain: ForecastDomain,
  planned: { day: number; date: string; plannedSends: number }[],
  today: string,
): Forecast {
  const outlook = outlookOf(domain);
  const capacity = capacityByDay(domain, outlook.perDay);
  const dates = capacity.map((_, i) => dateAfter(today, i));
  return {
    assumption: outlook.assumption,
    days: planned.map(({ day, date, plannedSends }) => {
      const at = capacity.findIndex((free, i) => dates[i]! >= date && free >= plannedSends);
      return { day, date, plannedSends, possibleOn: at === -1 ? null : dates[at]! };
    }),
  };
}

/** The tier and cap of a domain on the coming days. */
export interface CapsAhead {
  assumption: string;
  days: { date: string; tier: number; cap: number }[];
}

/** Says what tier and cap a domain will have on each of the next `count` days, today first. A paused one has none. */
export function capsAhead(domain: ForecastDomain, today: string, count: number): CapsAhead {
  const { assumption, perDay } = outlookOf(domain);
  const days = Array.from({ length: perDay === null ? 0 : count }, (_, i) => {
    const tier = Math.min(Math.max(domain.tier + i * (perDay ?? 0), 0), TOP_TIER);
    return { date: dateAfter(today, i), tier, cap: i === 0 ? domain.cap : capOfTier(tier) };
  });
  return { assumption, days };
}

interface Outlook {
  assumption: string;
  /** Tiers gained per day: 1, 0 or -1. `null`: nothing can be sent at all. */
  perDay: 1 | 0 | -1 | null;
}

function outlookOf({ tier, state, lastDay }: ForecastDomain): Outlook {
  if (state === 'paused')
    return { assumption: 'the domain stays paused until someone resumes it', perDay: null };
  if (state === 'held') return { assumption: `the tier stays held at ${tier}`, perDay: 0 };
  if (lastDay === null || lastDay.attempted === 0) {
    return { assumption: 'mail is sent every day from today on, and every day is healthy', perDay: 1 };
  }
  // Asked as if below the top, so that a fully warm domain with good rates counts as healthy.
  const { action, reason } = decideRamp({ tier: Math.min(tier, TOP_TIER - 1), state }, lastDay);
  switch (action) {
    case 'advance':
      return { assumption: `every day is as healthy as the last one (${reason})`, perDay: 1 };
    case 'hold':
      return {
        assumption: `rates stay as on the last day, so the tier stays ${tier} (${reason})`,
        perDay: 0,
      };
    case 'demote':
      return { assumption: `rates stay as on the last day, so the tier falls daily (${reason})`, perDay: -1 };
    case 'pause':
      return {
        assumption: `rates stay as on the last day, so the domain is paused (${reason})`,
        perDay: null,
      };
    default:
      return action satisfies never;
  }
}

// What is free for planned mail on each day from today on: the cap, less what waits from before.
function capacityByDay(domain: ForecastDomain, perDay: Outlook['perDay']): number[] {
  if (perDay === null) return [];
  let backlog = domain.waiting;
  return Array.from({ length: LOOK_AHEAD }, (_, i) => {
    const tier = Math.min(Math.max(domain.tier + i * perDay, 0), TOP_TIER);
    const cap = i === 0 ? Math.max(domain.cap - domain.used, 0) : capOfTier(tier);
    if (i === 0) return backlog > 0 ? 0 : cap; // with mail waiting, today is used up
    const sent = Math.min(backlog, cap);
    backlog -= sent;
    return cap - sent;
  });
}

function dateAfter(today: string, days: number): string {
  return new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
