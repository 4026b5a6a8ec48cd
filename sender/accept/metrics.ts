// What accepting counts for Prometheus.

import { Histogram } from 'prom-client';

import type { Registry } from '../../core/base/metrics.ts';
import type { AcceptSink } from './accept.ts';

/** Declares the metric of batches in a registry; what it returns makes what counts those of a bucket. */
export function createBatchCounter(
  registry: Registry,
): (bucket: string) => NonNullable<AcceptSink['committed']> {
  const sizes = new Histogram({
    name: 'postrider_accept_batch_messages',
    help: 'Messages that were accepted, refused or deferred in one commit, by bucket and stream',
    labelNames: ['bucket', 'stream'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers: [registry],
  });
  return (bucket) => (messages, stream) => sizes.observe({ bucket, stream }, messages);
}
