// Words of analytics: what is counted, by what, and the rates that mailbox providers look at.

/** What is counted of each day. */
export const COUNTS = [
  'accepted',
  'delivered',
  'bounced',
  'expired',
  'dropped',
  'cancelled',
  'complained',
  'opened',
  'clicked',
  'unsubscribed',
] as const;

/** The name of a count. */
export type CountName = (typeof COUNTS)[number];

/** Numbers of messages, by what became of them. */
export type Counts = Record<CountName, number>;

/** What the counts are kept by, beside the domain. */
export const KINDS = ['all', 'tag', 'campaign', 'provider'] as const;

/** A kind of rows of analytics_days. */
export type Kind = (typeof KINDS)[number];

/** The value of a kind to which what is beyond MAX_VALUES of a day belongs. */
export const OTHER = 'other';

/** Values of one kind that have rows of their own on one day, each domain's counted apart: 500 × 366 days are read in a second. */
export const MAX_VALUES = 500;

/** No messages at all. */
export function noCounts(): Counts {
  return Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts;
}

/** The sum of some counts. */
export function addCounts(all: readonly Counts[]): Counts {
  const sum = noCounts();
  for (const one of all) for (const name of COUNTS) sum[name] += one[name];
  return sum;
}

/** Messages that neither ended nor were given up. */
export function waitingOf(counts: Counts): number {
  const { accepted, delivered, bounced, expired, dropped, cancelled } = counts;
  return Math.max(0, accepted - delivered - bounced - expired - dropped - cancelled);
}

/** Bounced, of what ended at a mailbox; null without any. */
export function bounceRate({ delivered, bounced }: Counts): number | null {
  return delivered + bounced === 0 ? null : bounced / (delivered + bounced);
}

/** Complaints, of what was delivered; null without any. */
export function complaintRate({ delivered, complained }: Counts): number | null {
  return delivered === 0 ? null : Math.min(1, complained / delivered);
}

/** A rate from which mailbox providers, or services like ours, act. */
export interface RateLimit {
  rate: 'bounces' | 'complaints';
  /** A fraction. */
  value: number;
  /** What happens there, in a few words. */
  label: string;
  /** Whose number it is. */
  source: string;
}

/** The limit lines of the plots; docs/deliverability.md says more of each. */
export const RATE_LIMITS: readonly RateLimit[] = [
  {
    rate: 'complaints',
    value: 0.001,
    label: 'Gmail and Yahoo: stay below',
    source: 'https://support.google.com/a/answer/81126',
  },
  {
    rate: 'complaints',
    value: 0.003,
    label: 'Gmail and Yahoo: never reach',
    source: 'https://senders.yahooinc.com/best-practices/',
  },
  {
    rate: 'bounces',
    value: 0.02,
    label: 'A healthy list stays below',
    source: 'https://docs.aws.amazon.com/ses/latest/dg/reputation-dashboard-dg.html',
  },
  {
    rate: 'bounces',
    value: 0.05,
    label: 'Sending services review an account',
    source: 'https://docs.aws.amazon.com/ses/latest/dg/reputationdashboardmessages.html',
  },
];
