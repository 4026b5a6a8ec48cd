// The reputation of a tenant's sending domains over 30 days: what the mail came to, day by day, and the trust score.

import type { Database } from '../db/pool.ts';
import { dkimRecordKey } from '../domain/records.ts';
import { capOfTier } from '../warmup/tiers.ts';
import {
  selectDays,
  selectReputationDomains,
  type DayCounts,
  type ReputationDomain,
} from './reputation-store.ts';
import { LEAST_SCORED_SENDS, scoreParts, trustScore, type ScorePart } from './score.ts';

/** Days of the window, today included. */
export const WINDOW_DAYS = 30;

/** Counts of one day or of the window, people only where it says opened and clicked. */
interface Counts {
  sent: number;
  delivered: number;
  bounced: number;
  hardBounced: number;
  complained: number;
  opened: number;
  clicked: number;
  machineOpened: number;
  machineClicked: number;
  unsubscribed: number;
}

/** Counts with the rates that they make, 0 to 1. */
export interface Metrics extends Counts {
  deliveryRate: number;
  bounceRate: number;
  complaintRate: number;
  openRate: number;
  clickRate: number;
}

/** The reputation of one domain. */
export interface Reputation {
  domainId: string;
  domain: string;
  trustScore: number;
  /** Whether the domain sent enough in the window for its score to say something: LEAST_SCORED_SENDS. */
  hasEnoughMail: boolean;
  parts: ScorePart[];
  metrics: Metrics;
  warmup: { tier: number; cap: number };
  /** One entry per day of the window, the oldest first. */
  daily: (Metrics & { date: string })[];
}

const DAY_MS = 86_400_000;

/** A page of domains with their reputation, the newest domain first. */
export async function readReputation(
  db: Database,
  tenantId: string,
  page: { before: string | null; limit: number; name?: string | undefined },
): Promise<Reputation[]> {
  const domains = await selectReputationDomains(db.pool, tenantId, page);
  const [first] = domains;
  if (!first) return [];
  const dates = windowOf(first.today);
  const ids = domains.map((domain) => domain.id);
  const days = Map.groupBy(await selectDays(db.pool, tenantId, ids, dates[0]!), (row) => row.domainId);
  return domains.map((domain) => reputationOf(domain, days.get(domain.id) ?? [], dates));
}

/** Counts with their rates. */
function withRates(counts: Counts): Metrics {
  return {
    ...counts,
    deliveryRate: rate(counts.delivered, counts.sent),
    bounceRate: rate(counts.bounced, counts.sent),
    complaintRate: rate(counts.complained, counts.delivered),
    openRate: rate(counts.opened, counts.delivered),
    clickRate: rate(counts.clicked, counts.delivered),
  };
}

function reputationOf(domain: ReputationDomain, rows: DayCounts[], dates: string[]): Reputation {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  const total = rows.reduce<Counts>(sum, NOTHING);
  const parts = scoreParts({
    ...total,
    found: foundOf(domain),
    ageDays: domain.ageDays,
    tier: domain.tier,
    paused: domain.warmupState === 'paused',
  });
  return {
    domainId: domain.id,
    domain: domain.name,
    trustScore: trustScore(parts, domain.warmupState === 'paused'),
    hasEnoughMail: total.sent >= LEAST_SCORED_SENDS,
    parts,
    metrics: withRates(total),
    warmup: { tier: domain.tier, cap: domain.cap ?? capOfTier(domain.tier) },
    daily: dates.map((date) => ({ date, ...withRates(sum(NOTHING, byDate.get(date) ?? NOTHING)) })),
  };
}

function foundOf({ recordStatus, selectors }: ReputationDomain): {
  dkim: boolean;
  spf: boolean;
  dmarc: boolean;
} {
  const found = (key: string) => recordStatus[key]?.status === 'found';
  return {
    dkim: selectors.some((selector) => found(dkimRecordKey(selector))),
    spf: found('spf'),
    dmarc: found('dmarc'),
  };
}

const NOTHING: Counts = {
  sent: 0,
  delivered: 0,
  bounced: 0,
  hardBounced: 0,
  complained: 0,
  opened: 0,
  clicked: 0,
  machineOpened: 0,
  machineClicked: 0,
  unsubscribed: 0,
};

function sum(a: Counts, b: Counts): Counts {
  const names = Object.keys(NOTHING) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as unknown as Counts;
}

// A complaint or an open may come on another day than the mail: a day's rate is then cut at 1.
function rate(hits: number, of: number): number {
  return of <= 0 ? 0 : Math.min(1, Math.max(0, hits / of));
}

function windowOf(today: string): string[] {
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: WINDOW_DAYS }, (_, i) =>
    new Date(last - (WINDOW_DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
}
