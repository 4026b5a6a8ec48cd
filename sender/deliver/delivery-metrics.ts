// What delivery counts for Prometheus.

import { Counter, Gauge, Histogram } from 'prom-client';

import type { Registry } from '../../core/base/metrics.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import type { DeliveryStats } from './shared-delivery.ts';

/** Counts outcomes; gauges read themselves when they are asked. */
export interface DeliveryMetrics {
  outcome(outcome: Outcome): void;
  fenced(count: number): void;
}

/** Declares the metrics of delivery in a registry. `countUnclaimed` counts this sender's part of what waits for any sender. */
export function createDeliveryMetrics(
  registry: Registry,
  stats: () => DeliveryStats,
  countUnclaimed: () => Promise<number>,
): DeliveryMetrics {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'postrider_delivery_outcomes_total',
    help: 'Claims that ended, by outcome and stream',
    labelNames: ['outcome', 'stream'],
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
    help: 'Outcomes that were not written because another sender holds the message',
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
    help: 'Messages that are due and claimed by no sender, divided by the senders that could claim them',
    registers,
    collect: async () => unclaimed.set(await countUnclaimed().catch(() => Number.NaN)),
  });
  return {
    outcome: (outcome) => {
      outcomes.inc({ outcome: outcome.kind, stream: outcome.claim.stream });
      const attempt = 'attempt' in outcome ? outcome.attempt : null;
      if (!attempt) return;
      attempts.inc({ esp: attempt.esp, outcome: outcome.kind, class: attempt.bounceClass ?? 'none' });
      seconds.observe(attempt.durationMs / 1000);
    },
    fenced: (count) => fenced.inc(count),
  };
}
