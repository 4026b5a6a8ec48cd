// What the api counts.

import { Counter, Histogram } from 'prom-client';

import type { Registry } from '../core/base/metrics.ts';
import type { ClosedConnection } from './connection-limits.ts';
import type { CutResponse } from './response-limits.ts';

/** The api's own figures. */
export interface ApiMetrics {
  /** One answered request. `route` is the path of the route table, never the path of the client. */
  answered(route: string, method: string, status: number, seconds: number): void;
  /** A connection or response that a limit closed. */
  closed(why: ClosedConnection | CutResponse): void;
}

/** Declares the figures on a registry. */
export function createApiMetrics(registry: Registry): ApiMetrics {
  const requests = new Histogram({
    name: 'postrider_api_request_seconds',
    help: 'Time from the first byte of a request to its answer',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  const closed = new Counter({
    name: 'postrider_api_closed_total',
    help: 'Connections and responses that a limit of the client, or of the process, closed',
    labelNames: ['reason'] as const,
    registers: [registry],
  });
  return {
    closed: (reason) => closed.inc({ reason }),
    answered: (route, method, status, seconds) => requests.observe({ route, method, status }, seconds),
  };
}
