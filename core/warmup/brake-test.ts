// The test behind the same-day brake: whether today's outcomes of a domain are those of a bad list. Pure.
//
// A sequential likelihood ratio test (A. Wald, "Sequential Tests of Statistical Hypotheses", Ann. Math. Stat. 16, 1945): each
// outcome adds ln(p of a bad list / p of a good one) to a score, and the score says at any time, however often it is asked,
// which of the two is more likely. Wald's own test never forgets: 50,000 good mails in the morning would excuse 1,500 bounces
// in the afternoon. So the score has a floor, as in Page's cumulative sum (E. S. Page, "Continuous Inspection Schemes",
// Biometrika 41, 1954): good mail earns credit, but no more than CREDIT.

/** What is tested. */
export const MEASURES = ['bounces', 'blocks', 'complaints'] as const;

/** One of them. */
export type Measure = (typeof MEASURES)[number];

/** Share of bad outcomes on a good list and on a bad one. */
interface Hypotheses {
  good: number;
  bad: number;
}

/**
 * Bounces: the ramp pauses a domain at 3 % (docs/warmup.md); Amazon SES puts accounts under review at 5 %
 * (https://docs.aws.amazon.com/ses/latest/dg/reputationdashboardmessages.html). Complaints: Gmail and Yahoo ask for less than
 * 0.1 % and refuse from 0.3 % on (https://support.google.com/a/answer/81126, https://senders.yahooinc.com/best-practices/).
 * Blocks have no public number: a healthy domain sees next to none, so 1 % against 5 %.
 */
export const HYPOTHESES: Readonly<Record<Measure, Hypotheses>> = {
  bounces: { good: 0.03, bad: 0.06 },
  blocks: { good: 0.01, bad: 0.05 },
  complaints: { good: 0.001, bad: 0.005 },
};

/** Attempts of a day before which nothing is decided. */
export const LEAST_ATTEMPTS = 100;

/**
 * The score at which the brake goes on: ln(10,000), an error of 1 in 10,000 by Wald's bound, were there one test a day. With
 * the floor there are many; 10,000 seeded days of 100,000 sends at 2 % bounces have none (test/unit/warmup/brake-test.test.ts).
 */
export const TRIP_SCORE = Math.log(10_000);

/** The score at which mail counts as good again: Wald's lower bound for an error of 5 %. 95 good outcomes in a row reach it. */
export const RECOVERED_SCORE = Math.log(0.05);

/** What good mail can earn: about 33 bounces at once are excused, as those of one dead company on a sorted list. */
const CREDIT = Math.log(1e10);

/** The score after more outcomes, of which some were bad. */
export function addOutcomes(measure: Measure, score: number, outcomes: number, bad: number): number {
  const p = HYPOTHESES[measure];
  const gained = bad * Math.log(p.bad / p.good) + (outcomes - bad) * Math.log((1 - p.bad) / (1 - p.good));
  return Math.max(score + gained, -CREDIT);
}
