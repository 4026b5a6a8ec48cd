// How many requests an endpoint gets at a time. One that answers gets more, one that hangs fewer, down to one: a
// hundred dead endpoints together then hold a hundred requests, not two thousand. One that keeps failing also
// rests between requests, up to two seconds, so that a refused connection is not tried a thousand times a second.

import { monotonicMs } from '../../core/base/clock.ts';

/** The capacity of all endpoints that have requests in flight or that failed lately. */
export interface EndpointCapacity {
  /** Requests that may start now, of those endpoints that have other than `initial`. */
  free(): Map<string, number>;
  /** Requests that may start now, of an endpoint that is not in `free()`. */
  initial: number;
  start(endpointId: string): void;
  /** `well` is false when the endpoint did not answer in time, or said 5xx or 429. */
  end(endpointId: string, well: boolean): void;
}

interface Endpoint {
  limit: number;
  used: number;
  failures: number;
  restUntil: number;
  /** When its last request ended; monotonic milliseconds. */
  endedAt: number;
}

const INITIAL = 5; // requests at a time to an endpoint that nothing is known of
const MAX_KNOWN = 10_000;
const FREE_FAILURES = 5; // in a row, before it rests
const FIRST_REST_MS = 50;
const MAX_REST_MS = 2_000;
const REMEMBERED_MS = 10_000; // after its last request, of one that answers

/** Starts without knowledge of any endpoint; `most` is WEBHOOK_ENDPOINT_CONCURRENCY, `clock` monotonic milliseconds. */
export function createEndpointCapacity(most: number, clock = monotonicMs): EndpointCapacity {
  const initial = Math.min(INITIAL, most);
  const endpoints = new Map<string, Endpoint>();
  return {
    initial,
    free: () => {
      const now = clock();
      for (const [endpointId, { used, failures, endedAt }] of endpoints)
        if (used === 0 && failures === 0 && now - endedAt > REMEMBERED_MS) endpoints.delete(endpointId);
      const capacity = (endpoint: Endpoint) =>
        endpoint.restUntil > now ? 0 : Math.max(0, endpoint.limit - endpoint.used);
      return new Map([...endpoints].map(([endpointId, endpoint]) => [endpointId, capacity(endpoint)]));
    },
    start: (endpointId) => {
      const endpoint = endpoints.get(endpointId) ?? {
        limit: initial,
        used: 0,
        failures: 0,
        restUntil: 0,
        endedAt: 0,
      };
      endpoint.used++;
      endpoints.set(endpointId, endpoint);
    },
    end: (endpointId, well) => {
      const endpoint = endpoints.get(endpointId);
      if (!endpoint) return;
      endpoint.used--;
      endpoint.failures = well ? 0 : endpoint.failures + 1;
      endpoint.limit = well
        ? Math.min(most, endpoint.limit + 1)
        : Math.max(1, Math.floor(endpoint.limit / 2));
      endpoint.endedAt = clock();
      endpoint.restUntil = endpoint.endedAt + restMs(endpoint.failures);
      if (endpoint.used === 0 && endpoints.size > MAX_KNOWN) endpoints.delete(endpointId);
    },
  };
}

function restMs(failures: number): number {
  if (failures <= FREE_FAILURES) return 0;
  return Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** Math.min(failures - FREE_FAILURES, 10));
}
