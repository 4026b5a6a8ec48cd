// What a day's rates mean for a domain's tier. Pure; docs/warmup.md has the table in words.
//
// Counts are compared by multiplication, not as fractions: 3 bounces of 100 are exactly 3 %, which no quotient of
// binary fractions promises.

import { TOP_TIER } from './tiers.ts';

/** What a domain's mail of one UTC day came to. */
export interface DayCounts {
  /** Messages whose first attempt fell on the day. */
  attempted: number;
  /** Of these: accepted by the next hop and not bounced since. */
  delivered: number;
  /** Of these: bounced for good, hard or soft, in the dialogue or by a report. */
  bounced: number;
  /** Messages delivered on the day, whenever they were first tried. */
  deliveredOnDay: number;
  /** Messages complained about on the day. */
  complained: number;
}

/** Fractions, 0 to 1, as they are kept in the history. */
interface DayRates {
  bounce_rate: number;
  complaint_rate: number;
  delivery_rate: number;
}

/** How a domain stands before the decision. */
export interface RampState {
  tier: number;
  state: 'active' | 'held' | 'paused';
}

/** What the ramp does. `pause` and `demote` are reported to operations. */
export type RampAction = 'advance' | 'hold' | 'demote' | 'pause';

/** A decision with its reason in words. */
export interface RampDecision {
  action: RampAction;
  toTier: number;
  reason: string;
  rates: DayRates;
}

/**
 * Decides about one domain and one day. `late` says that a later day is decided in the same go: such a day can still
 * slow a domain down, but only the latest day moves it up.
 */
export function decideRamp(before: RampState, counts: DayCounts, late = false): RampDecision {
  const rates = ratesOf(counts);
  const stay = (reason: string): RampDecision => ({ action: 'hold', toTier: before.tier, reason, rates });
  const { tier, state } = before;
  if (counts.attempted === 0) return stay('nothing was sent, so nothing is known');
  if (state === 'paused') return stay('the domain is paused; an operator resumes it');
  if (bounceAtLeast(counts, 3)) return pause(before, counts, rates);
  if (state === 'held') return stay('the tier is held by an operator');
  if (complaintsAbove(counts, 3)) {
    const reason = `complaints were ${percent(rates.complaint_rate)}, above 0.3 %`;
    if (tier === 0) return stay(`${reason}; there is no tier below 0`);
    return { action: 'demote', toTier: tier - 1, reason, rates };
  }
  const borderline = borderlines(counts, rates);
  if (borderline.length > 0) return stay(borderline.join('; '));
  const healthy = `bounces ${percent(rates.bounce_rate)}, complaints ${percent(rates.complaint_rate)}, delivered ${percent(rates.delivery_rate)}`;
  if (tier === TOP_TIER) return stay(`healthy (${healthy}), and fully warm`);
  if (late) return stay(`healthy (${healthy}), but decided late: only the latest day moves a domain up`);
  return { action: 'advance', toTier: tier + 1, reason: `healthy: ${healthy}`, rates };
}

/** The fractions of a day. Complaints without a delivery on the day count as one delivery each. */
function ratesOf(counts: DayCounts): DayRates {
  const of = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
  return {
    bounce_rate: of(counts.bounced, counts.attempted),
    complaint_rate: of(counts.complained, complaintBase(counts)),
    delivery_rate: of(counts.delivered, counts.attempted),
  };
}

function pause({ tier, state }: RampState, counts: DayCounts, rates: DayRates): RampDecision {
  const bounces = `bounces were ${percent(rates.bounce_rate)}`;
  const worse = counts.bounced * 100 > counts.attempted * 5;
  if (!worse) return { action: 'pause', toTier: tier, reason: `${bounces}, 3 % or more`, rates };
  if (state === 'held')
    return { action: 'pause', toTier: tier, reason: `${bounces}, above 5 %; the tier is held`, rates };
  return { action: 'pause', toTier: Math.max(tier - 1, 0), reason: `${bounces}, above 5 %`, rates };
}

function borderlines(counts: DayCounts, rates: DayRates): string[] {
  const found: string[] = [];
  if (counts.complained * 1000 >= complaintBase(counts))
    found.push(`complaints were ${percent(rates.complaint_rate)}, not below 0.1 %`);
  if (counts.delivered * 100 <= counts.attempted * 95)
    found.push(`only ${percent(rates.delivery_rate)} were delivered, not above 95 %`);
  return found;
}

function bounceAtLeast(counts: DayCounts, percentage: number): boolean {
  return counts.bounced * 100 >= counts.attempted * percentage;
}

function complaintsAbove(counts: DayCounts, perMille: number): boolean {
  return counts.complained * 1000 > complaintBase(counts) * perMille;
}

function complaintBase(counts: DayCounts): number {
  return Math.max(counts.deliveredOnDay, counts.complained, 1);
}

// Four places: 0.0999 % must not read as 0.1 %.
function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(4))} %`;
}
