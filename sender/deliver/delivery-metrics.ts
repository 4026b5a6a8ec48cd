// What delivery counts for Prometheus.

import { Counter, Gauge, Histogram } from 'prom-client';

import type { Registry } from '../../core/base/metrics.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import type { DeliveryStats } from './shared-delivery.ts';

/** Counts the outcomes of one bucket; gauges read themselves when they are asked. */
export interface DeliveryMetrics {
  outcome(outcome: Outcome): void;
  fenced(count: number): void;
}

/**
 * Declares the metrics of delivery in a registry; what it returns makes those of a bucket. `countUnclaimed` counts, for each bucket,
 * this sender's part of what waits for any sender: NaN where it cannot be read.
 */
export function createDeliveryMetrics(
  registry: Registry,
  stats: () => DeliveryStats,
  countUnclaimed: () => Promise<Map<string, number>>,
): (bucket: string) => DeliveryMetrics {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'postrider_delivery_outcomes_total',
    help: 'Claims that ended, by bucket, outcome and stream',
    labelNames: ['bucket', 'outcome', 'stream'],
    registers,
  });
  const attempts = new Counter({
    name: 'postrider_delivery_attempts_total',
    help: 'SMTP attempts by route, outcome and bounce class',
    labelNames: ['esp', 'outcome', 'class'],
    registers,
  });
  const seconds = new Histogram({
    name: 'postrider_delivery_seconds',
    help: 'Duration of attempts, from the connection to the last reply',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 600],
    registers,
  });
  const fenced = new Counter({
    name: 'postrider_delivery_fenced_total',
    help: 'Outcomes that were not written because another sender holds the message, by bucket',
    labelNames: ['bucket'],
    registers,
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('postrider_delivery_in_hand', 'Messages in flight in this process', () => stats().inFlight);
  gauge('postrider_delivery_active', 'Deliveries that run now', () => stats().active);
  gauge('postrider_delivery_connections', 'Open SMTP connections', () => stats().connections);
  gauge('postrider_delivery_unrecorded', 'Outcomes that are not recorded yet', () => stats().pending);
  const unclaimed: Gauge = new Gauge({
    name: 'postrider_delivery_unclaimed',
    help: 'Messages that are due and claimed by no sender, divided by the senders that could claim them, by bucket',
    labelNames: ['bucket'],
    registers,
    async collect() {
      unclaimed.reset(); // of buckets that are not open here any more
      for (const [bucket, count] of await countUnclaimed()) unclaimed.set({ bucket }, count);
    },
  });
  return (bucket) => {
    fenced.inc({ bucket }, 0); // a rate needs the value before the first one
    return {
      outcome: (outcome) => {
        outcomes.inc({ bucket, outcome: outcome.kind, stream: outcome.claim.stream });
        const attempt = 'attempt' in outcome ? outcome.attempt : null;
        if (!attempt) return;
        attempts.inc({ esp: attempt.esp, outcome: outcome.kind, class: attempt.bounceClass ?? 'none' });
        seconds.observe(attempt.durationMs / 1000);
      },
      fenced: (count) => fenced.inc({ bucket }, count),
    };
  };
}
