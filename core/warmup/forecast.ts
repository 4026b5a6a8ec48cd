// The one forecast of a domain: the ramp of decide-ramp, run ahead from where the domain stands, with the mail that waits. Pure.
// The end of a campaign, its review, a plan and the domain's outlook all come from `roomAhead`. Each says its assumption, because
// no forecast knows the bounces of tomorrow.

import type { BrakeState } from '../message/brake-state.ts';
import { decideRamp, type DayCounts } from './decide-ramp.ts';
import { bulkCap, capOfTier, TOP_TIER } from './tiers.ts';

/** How a domain stands today. */
export interface ForecastDomain {
  tier: number;
  state: 'active' | 'held' | 'paused';
  /** Admissions used today, those of campaign mail among them, and the cap of today. */
  used: number;
  bulkUsed: number;
  cap: number;
  /** Percent of the cap that campaign mail must not use. */
  transactionalReserve: number;
  /** Most campaign mail of a day for the sender rules; null: no such limit. */
  bulkLimit: number | null;
  /** What the same-day brake holds today. */
  brake: BrakeState;
  /** Deferred messages that are not admitted yet: they go first, transactional mail before campaign mail. */
  waiting: { transactional: number; bulk: number };
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

/** One UTC day, as the assumption has it. */
export interface RoomDay {
  date: string;
  tier: number;
  cap: number;
  /** The part of the cap that campaign mail may use. */
  bulkCap: number;
  /** Messages that the domain can send in addition to its waiting mail. */
  free: number;
  /** Of these, campaign mail. */
  bulkFree: number;
}

/** What the coming days have room for, today first. `days` is empty when nothing can be sent. `today` is a UTC date. */
export function roomAhead(
  domain: ForecastDomain,
  today: string,
): { assumption: string; days: Iterable<RoomDay> } {
  const { assumption, perDay } = outlookOf(domain);
  return { assumption, days: perDay === null ? [] : daysAhead(domain, today, perDay) };
}

/** Says for each planned day when its volume will be possible, not before its own date. `today` is a UTC date. */
export function forecast(
  domain: ForecastDomain,
  planned: { day: number; date: string; plannedSends: number }[],
  today: string,
): Forecast {
  const { assumption, days: ahead } = roomAhead(domain, today);
  const days = [...ahead];
  return {
    assumption,
    days: planned.map(({ day, date, plannedSends }) => {
      const possible = days.find((one) => one.date >= date && one.free >= plannedSends);
      return { day, date, plannedSends, possibleOn: possible?.date ?? null };
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
  const { assumption, days } = roomAhead(domain, today);
  return { assumption, days: [...days].slice(0, count).map(({ date, tier, cap }) => ({ date, tier, cap })) };
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

// Fills day after day like the release: what waits goes first, and the reserve stays free of campaign mail.
function* daysAhead(domain: ForecastDomain, today: string, perDay: number): Generator<RoomDay> {
  let { transactional, bulk } = domain.waiting;
  for (let i = 0; i < LOOK_AHEAD; i++) {
    const isToday = i === 0;
    const tier = Math.min(Math.max(domain.tier + i * perDay, 0), TOP_TIER);
    const cap = isToday ? domain.cap : capOfTier(tier);
    const most = bulkCap(cap, domain.transactionalReserve, domain.bulkLimit);
    const brake = isToday ? domain.brake : 'off';
    const left = brake === 'all' ? 0 : Math.max(0, cap - (isToday ? domain.used : 0));
    const afterTransactional = left - Math.min(transactional, left);
    transactional -= left - afterTransactional;
    const bulkLeft = brake === 'off' ? most - (isToday ? domain.bulkUsed : 0) : 0;
    const forBulk = Math.max(0, Math.min(afterTransactional, bulkLeft));
    const earlier = Math.min(bulk, forBulk);
    bulk -= earlier;
    const free = afterTransactional - earlier;
    yield { date: dateAfter(today, i), tier, cap, bulkCap: most, free, bulkFree: forBulk - earlier };
  }
}

function dateAfter(today: string, days: number): string {
  return new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
