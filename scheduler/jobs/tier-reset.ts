// 00:30 UTC: domains without a send for 14 days start again at tier 0.

import { toId } from '../../core/base/ids.ts';
import { resetIdleDomains } from '../../core/warmup/idle-store.ts';
import type { Job } from '../job.ts';

const BATCH = 500; // domains of one transaction

/** The job `tier-reset`. */
export const tierReset: Job = async ({ db, publishWarmup }, { now, signal }) => {
  let reset = 0;
  for (;;) {
    signal.throwIfAborted();
    const domains = await resetIdleDomains(db.pool, now, BATCH);
    reset += domains.length;
    for (const { tenantId, domainId } of domains)
      publishWarmup?.(tenantId, { domain_id: toId('dom', domainId) });
    if (domains.length < BATCH) return { reset };
  }
};
