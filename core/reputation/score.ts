// The trust score of a sending domain, 0 to 100: the sum of seven parts, each with what would raise it. Pure; the
// reasons for the numbers, and their sources, are in docs/reputation.md.

import { TOP_TIER } from '../warmup/tiers.ts';

/** What a score is made from: counts of the window, people only, and the state of the domain. */
export interface ScoreInput {
  sent: number;
  delivered: number;
  bounced: number;
  complained: number;
  opened: number;
  clicked: number;
  /** Which of the records that receivers look at were found. */
  found: { dkim: boolean; spf: boolean; dmarc: boolean };
  /** Days since the domain was verified first; 0 before. */
  ageDays: number;
  tier: number;
  paused: boolean;
}

/** The names of the parts. */
export type PartName =
  | 'complaints'
  | 'bounces'
  | 'delivery'
  | 'authentication'
  | 'age'
  | 'tier'
  | 'engagement';

/** One part of a score. */
export interface ScorePart {
  part: PartName;
  points: number;
  max_points: number;
  /** The rate, count or share that was judged. */
  value: number;
  /** What would raise it; null at full points. */
  advice: string | null;
}

/** Most points of each part; together 100. */
export const WEIGHTS: Readonly<Record<PartName, number>> = {
  complaints: 30,
  bounces: 25,
  delivery: 15,
  authentication: 10,
  age: 5,
  tier: 5,
  engagement: 10,
};

/** Rates between which points fall from all to none. */
const THRESHOLDS = {
  complaints: { good: 0.001, bad: 0.003 },
  bounces: { good: 0.02, bad: 0.1 },
  delivery: { good: 0.98, bad: 0.85 },
  engagement: { good: 0.2, bad: 0 },
} as const;

/** Days after which a domain is no longer new. */
const MATURE_DAYS = 30;

/**
 * A rate over few messages says little: so many imagined ones, halfway between good and bad, are counted with the
 * real ones. So the first bounce does not end a new domain, and beside 10,000 real messages they hardly count.
 */
const IMAGINED_SENDS = 200;

/** Messages of the window below which the score is mostly that of the imagined ones, and says nothing of the domain. */
export const LEAST_SCORED_SENDS = 100;

// A click is a surer and rarer sign than an open; newsletters see about ten opens for one.
const OPENS_PER_CLICK = 10;

/** The parts of a score, heaviest first. */
export function scoreParts(input: ScoreInput): ScorePart[] {
  const { sent, delivered } = input;
  const engaged = Math.max(input.opened, Math.min(delivered, input.clicked * OPENS_PER_CLICK));
  return [
    rated('complaints', input.complained, delivered, adviseComplaints),
    rated('bounces', input.bounced, sent, adviseBounces),
    rated('delivery', delivered, sent, adviseDelivery),
    authentication(input),
    counted(
      'age',
      input.ageDays,
      MATURE_DAYS,
      () => 'Nothing to do: full points 30 days after the first verification.',
    ),
    counted('tier', input.tier, TOP_TIER, () => adviseTier(input)),
    rated('engagement', engaged, delivered, adviseEngagement),
  ];
}

/** The sum of the parts, whole points. A paused domain has no more than half. */
export function trustScore(parts: ScorePart[], paused: boolean): number {
  const sum = Math.round(parts.reduce((total, part) => total + part.points, 0));
  return paused ? Math.min(50, sum) : sum;
}

function rated(
  part: keyof typeof THRESHOLDS,
  hits: number,
  of: number,
  advise: (rate: number, of: number) => string,
): ScorePart {
  const { good, bad } = THRESHOLDS[part];
  const middle = (good + bad) / 2;
  const judged = (Math.min(hits, of) + middle * IMAGINED_SENDS) / (of + IMAGINED_SENDS);
  const rate = of === 0 ? 0 : hits / of;
  return make(part, (judged - bad) / (good - bad), rate, () => advise(rate, of));
}

function counted(part: 'age' | 'tier', value: number, full: number, advise: () => string): ScorePart {
  return make(part, value / full, value, advise);
}

function authentication({ found }: ScoreInput): ScorePart {
  // DKIM carries DMARC's alignment; without it nothing is sent at all.
  const share = (found.dkim ? 0.5 : 0) + (found.spf ? 0.25 : 0) + (found.dmarc ? 0.25 : 0);
  const missing = (['dkim', 'spf', 'dmarc'] as const).filter((name) => !found[name]);
  const names = missing.map((name) => name.toUpperCase()).join(' and ');
  return make('authentication', share, share, () => `Publish the ${names} record of the domain.`);
}

function make(part: PartName, share: number, value: number, advise: () => string): ScorePart {
  const max = WEIGHTS[part];
  const points = Math.round(Math.min(1, Math.max(0, share)) * max * 10) / 10;
  return { part, points, max_points: max, value, advice: points < max ? advise() : null };
}

function adviseComplaints(rate: number, of: number): string {
  if (rate <= THRESHOLDS.complaints.good) return few(of, 'few complaints');
  return `Complaints are at ${percent(rate)}; stay under 0.1 %. Send only to people who signed up, and make it easy to unsubscribe.`;
}

function adviseBounces(rate: number, of: number): string {
  if (rate <= THRESHOLDS.bounces.good) return few(of, 'few bounces');
  return `Bounces are at ${percent(rate)}; stay under 2 %. Confirm new addresses, and remove contacts who have not opened mail for months.`;
}

function adviseDelivery(rate: number, of: number): string {
  if (of === 0 || rate >= THRESHOLDS.delivery.good) return few(of, 'mail that arrives');
  return `${percent(rate)} of the mail was accepted; check the bounces and deferrals in the event feed.`;
}

function adviseEngagement(rate: number, of: number): string {
  if (of === 0 || rate >= THRESHOLDS.engagement.good) return few(of, 'mail that is opened');
  return `${percent(rate)} of the mail was opened; send less often to contacts who never open, and keep open tracking on.`;
}

function adviseTier({ tier, paused }: ScoreInput): string {
  if (paused)
    return 'The warm-up is paused. Fix the cause of the bounces, then ask your administrator to resume it.';
  return `Send every day: a healthy day at tier ${tier} moves the domain to tier ${tier + 1}.`;
}

function few(of: number, what: string): string {
  return of === 0
    ? `No data yet. Aim for ${what}.`
    : `Not enough data yet. Keep sending, and aim for ${what}.`;
}

function percent(rate: number): string {
  return `${Number((rate * 100).toPrecision(2))} %`;
}
