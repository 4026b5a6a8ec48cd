// Where health and metrics of a service are. Imports nothing: the health check of the image reads it every few seconds.

/** What each service adds to METRICS_PORT. */
export const METRICS_OFFSET = { api: 0, sender: 1, inbound: 2, scheduler: 3 } as const;

/** The default of METRICS_PORT. */
export const METRICS_PORT = 9464;

/** The port on which a service has /healthz, /readyz and /metrics; 0 stays 0, any free one. */
export function metricsPort(config: { METRICS_PORT: number }, service: keyof typeof METRICS_OFFSET): number {
  return config.METRICS_PORT === 0 ? 0 : config.METRICS_PORT + METRICS_OFFSET[service];
}
