// The stores that this process uses and the certificate that it serves, as operators see them.

import { X509Certificate } from 'node:crypto';

import { askAll, type ReadyCheck, type ReadyChecks } from '../core/base/health-server.ts';
import type { Nats } from '../core/clients/nats.ts';

/** The health of this process. */
export interface OwnHealth {
  /** Whether each store can be used, by its name. */
  stores(): Promise<Record<string, boolean>>;
  /** When the certificate of HTTPS and submission expires. */
  certificateExpiresAt(): Date;
}

/** Makes it from the checks of /readyz. `certificate` gives the PEM that is served now. */
export function createOwnHealth(deps: {
  checks: ReadyChecks;
  nats: Pick<Nats, 'ping'>;
  certificate: () => Buffer;
}): OwnHealth {
  const { traffic, beside } = deps.checks;
  const checks: Record<string, ReadyCheck> = { ...traffic, ...beside, nats: () => deps.nats.ping() };
  return {
    stores: async () => (await askAll(checks)).checks,
    certificateExpiresAt: () => new Date(new X509Certificate(deps.certificate()).validTo),
  };
}
