// Decides whether a figure of commit B is worse than that of commit A, from pairs of runs.
//
// The rule is a paired t-test on the logarithms of the pair ratios. A figure is worse if the whole confidence interval of
// the mean ratio lies beyond TOLERANCE. All judged figures share the error rate (Bonferroni), so that a comparison of two
// equal commits raises an alarm in at most 5 % of cases, however many figures it has. A pair with an outlier widens the
// interval. It hides a small change and causes no alarm.
// Few pairs detect only large changes. If the ratios of 5 pairs have a standard deviation of 5 %, the limit is about 6 % for
// one figure and 14 % for each of 20; with 10 pairs it is 4 % and 7 %. Each judgement states its limit.

import type { Figure } from '../figure.ts';
import { median } from '../median.ts';

/** The values of one figure in the two runs of a pair. */
export interface Pair {
  a: number;
  b: number;
}

/** Which values of a figure are better. */
export type Direction = 'more' | 'less';

/** What the pairs of one figure show. */
export interface Judgement {
  verdict: 'worse' | 'better' | 'no difference';
  /** Medians of the two commits. */
  a: number;
  b: number;
  /** B / A: the median of the pairs, and their range. */
  ratio: number;
  lowest: number;
  highest: number;
  /** The mean change in percent from which this spread and number of pairs show a difference. NaN for a count. */
  limit: number;
}

/** The fewest pairs that have a usable spread. */
export const FEWEST_PAIRS = 3;

// Also the position of code in memory changes a figure by this much.
const TOLERANCE = Math.log(1.01);
const ALARM_RATE = 0.05; // of a whole comparison, if nothing changed
const TOP_QUANTILE = 1e6; // where the search for a quantile begins

/** Which direction is better, or null for a figure that is not judged. */
export function betterDirection({
  id,
  unit,
  target,
}: Pick<Figure, 'id' | 'unit' | 'target'>): Direction | null {
  // A raw limit is not our code. A share repeats its rate, and adds the noise of the raw limit.
  if (id.includes('.raw.') || id.endsWith('.share')) return null;
  if (target) return 'atLeast' in target ? 'more' : 'less';
  switch (unit) {
    case '/s':
      return 'more';
    case 'ms':
    case 'kB':
    case 'MB':
      return 'less';
    case '%':
    case '':
      return null;
    default:
      return unit satisfies never;
  }
}

/** Judges one of `figures` figures. Without a direction it only summarizes the pairs. */
export function judge(pairs: readonly Pair[], direction: Direction | null, figures: number): Judgement {
  const [a, b] = [pairs.map((pair) => pair.a), pairs.map((pair) => pair.b)];
  const ratios = pairs.map((pair) => pair.b / pair.a);
  const summary = {
    a: median(a),
    b: median(b),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
  const growth = ratios.map(Math.log);
  if (pairs.length < FEWEST_PAIRS || growth.some((one) => !Number.isFinite(one)))
    return { ...summary, verdict: judgeCounts(a, b, direction), limit: Number.NaN };
  const mean = growth.reduce((sum, one) => sum + one, 0) / growth.length;
  const variance = growth.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (growth.length - 1);
  const limit =
    TOLERANCE +
    studentQuantile(1 - ALARM_RATE / figures, growth.length - 1) * Math.sqrt(variance / growth.length);
  const judged = { ...summary, limit: (Math.exp(limit) - 1) * 100 };
  if (direction === null || Math.abs(mean) <= limit) return { ...judged, verdict: 'no difference' };
  const isWorse = direction === 'less' ? mean > 0 : mean < 0;
  return { ...judged, verdict: isWorse ? 'worse' : 'better' };
}

// A count of errors has no ratio: it is zero in good runs. It is worse if most runs of B have errors and none of A has.
function judgeCounts(a: number[], b: number[], direction: Direction | null): Judgement['verdict'] {
  if (direction !== 'less' || a.length < FEWEST_PAIRS) return 'no difference';
  const bad = (values: number[]) => values.filter((value) => value !== 0).length;
  if (bad(a) === 0 && bad(b) > b.length / 2) return 'worse';
  return bad(b) === 0 && bad(a) > a.length / 2 ? 'better' : 'no difference';
}

/** The value that Student's t with so many degrees of freedom does not exceed with this probability (above 0.5). */
export function studentQuantile(probability: number, freedom: number): number {
  let [low, high] = [0, TOP_QUANTILE];
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if ((1 + withinStudent(middle, freedom)) / 2 < probability) low = middle;
    else high = middle;
  }
  return high;
}

// P(|T| <= t): Abramowitz and Stegun, 26.7.3 (odd) and 26.7.4 (even).
function withinStudent(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let n = isOdd ? 3 : 2; n < freedom; n += 2) {
    term *= ((n - 1) / n) * Math.cos(angle) ** 2;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}
