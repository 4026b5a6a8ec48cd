// Prometheus metrics. A process makes one registry in main.ts; modules declare what they count through it.

import { collectDefaultMetrics, Registry } from 'prom-client';

export type { Registry } from 'prom-client';

/** A registry with the process's own figures (memory, event loop delay, CPU). */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
