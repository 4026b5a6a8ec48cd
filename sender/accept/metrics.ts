// What accepting counts for Prometheus.

import { Histogram } from 'prom-client';

import type { Registry } from '../../core/base/metrics.ts';
import type { AcceptSink } from './accept.ts';

/** Declares the metric of batches in a registry; what it returns counts one. */
export function createBatchCounter(registry: Registry): NonNullable<AcceptSink['committed']> {
  const sizes = new Histogram({
    name: 'postrider_accept_batch_messages',
    help: 'Messages that were accepted, refused or deferred in one commit, by stream',
    labelNames: ['stream'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers: [registry],
  });
  return (messages, stream) => sizes.observe({ stream }, messages);
}
