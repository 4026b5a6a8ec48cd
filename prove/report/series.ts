// The run over time, for its plots. Seconds count from the first entry of the journal.

import type { Evidence } from '../audit/evidence.ts';
import { saidYes } from '../audit/reply.ts';

/** A line of a plot: one value for each bin; null where there is none. */
export interface Series {
  name: string;
  values: (number | null)[];
}

/** What happens over a run. */
export interface OverTime {
  binSeconds: number;
  bins: number;
  /** Messages accepted, and delivered for the first time, per second. */
  pace: Series[];
  /** Milliseconds until an answer: median and 99th of a hundred. */
  latency: Series[];
  /** Messages that were accepted and that no receiver has. */
  waiting: Series[];
}

const MOST_BINS = 240;

/** Counts by bins of whole seconds. */
export function overTime(evidence: Evidence): OverTime {
  const { from, to, asked } = evidence;
  const binSeconds = Math.max(1, Math.ceil((to - from) / 1_000 / MOST_BINS));
  const bins = Math.max(1, Math.ceil((to - from) / 1_000 / binSeconds));
  const binOf = (t: number) => Math.min(bins - 1, Math.max(0, Math.floor((t - from) / 1_000 / binSeconds)));
  const accepted = zeros(bins);
  const delivered = zeros(bins);
  const waits = zeros(bins);
  const times: number[][] = Array.from({ length: bins }, () => []);
  const firstYes = firstDeliveries(evidence);
  for (const { request, answer } of asked) {
    if (!answer) continue;
    if (answer.status !== 0) times[binOf(answer.t)]!.push(answer.t - request.t);
    for (const { recipient, status } of answer.taken) {
      if (answer.replayed || status === 'dropped') continue;
      accepted[binOf(answer.t)]! += 1;
      const at = firstYes.get(recipient) ?? Infinity;
      for (let bin = binOf(answer.t); bin < bins && from + (bin + 1) * binSeconds * 1_000 < at; bin++)
        waits[bin]! += 1;
    }
  }
  for (const t of firstYes.values()) delivered[binOf(t)]! += 1;
  const perSecond = (counts: number[]) => counts.map((n) => n / binSeconds);
  return {
    binSeconds,
    bins,
    pace: [
      { name: 'accepted', values: perSecond(accepted) },
      { name: 'delivered', values: perSecond(delivered) },
    ],
    latency: [
      { name: 'median', values: times.map((ms) => quantile(ms, 0.5)) },
      { name: '99 %', values: times.map((ms) => quantile(ms, 0.99)) },
    ],
    waiting: [{ name: 'accepted, not yet delivered', values: waits }],
  };
}

function firstDeliveries({ wire }: Evidence): Map<string, number> {
  const first = new Map<string, number>();
  for (const [recipient, transactions] of wire) {
    const yes = transactions.find(({ dot, verdict }) => dot !== null && saidYes(verdict));
    if (yes) first.set(recipient, yes.verdict!.t);
  }
  return first;
}

function quantile(values: number[], part: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0);
}
