// The plan of a tenant's first 30 days. Pure: strategy and target in, 30 rows out.

import { capOfTier } from './tiers.ts';

/** How fast to ramp: the cap of each day's tier times this. */
const STRATEGY_FACTOR = { standard: 1, conservative: 0.5, aggressive: 1.5 } as const;

/** The strategies' names, for schemas. */
export const STRATEGIES = ['standard', 'conservative', 'aggressive'] as const;

/** One of the strategies. */
export type RampStrategy = (typeof STRATEGIES)[number];

/** What kind of mail a day is for: what recipients expect first, then those who read, then all. */
export type MailKind = 'transactional' | 'engaged' | 'marketing';

/** Most recipients a plan may name: more people than there are. */
export const LARGEST_TARGET = 10_000_000_000;

/** What a plan is made from. */
export interface SchedulePlan {
  /** YYYY-MM-DD */
  startDate: string;
  totalTargetRecipients: number;
  strategy: RampStrategy;
}

/** One day of a plan. */
export interface ScheduleDay {
  /** 0 to 29. */
  day: number;
  /** YYYY-MM-DD */
  date: string;
  tier: number;
  plannedSends: number;
  mailKind: MailKind;
}

const DAYS = 30;
const DAY_MS = 86_400_000;

/** The 30 days of a plan. Each day is planned on its own: it never exceeds the whole target. */
export function planDays({ startDate, totalTargetRecipients, strategy }: SchedulePlan): ScheduleDay[] {
  const first = Date.parse(`${startDate}T00:00:00Z`);
  return Array.from({ length: DAYS }, (_, day) => {
    const tier = tierOfDay(day);
    return {
      day,
      date: new Date(first + day * DAY_MS).toISOString().slice(0, 10),
      tier,
      plannedSends: Math.min(Math.floor(capOfTier(tier) * STRATEGY_FACTOR[strategy]), totalTargetRecipients),
      mailKind: day < 7 ? 'transactional' : day < 14 ? 'engaged' : 'marketing',
    };
  });
}

// A tier a day in the first week, then a tier a week.
function tierOfDay(day: number): number {
  return day < 7 ? day : 6 + Math.floor(day / 7);
}
