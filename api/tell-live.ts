// What the faces tell live views of, after the commit. May be lost; who looks again reads the record.

import { toId } from '../core/base/ids.ts';
import { publishLive } from '../core/clients/live.ts';
import type { Nats } from '../core/clients/nats.ts';

/** A tier or a warm-up state changed by hand. */
export function tellWarmup(nats: Nats, domain: { tenantId: string; domainId: string }): void {
  publishLive(nats, domain.tenantId, 'warmup', { domain_id: toId('dom', domain.domainId) });
}
