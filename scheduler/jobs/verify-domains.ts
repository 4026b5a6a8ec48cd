// 04:00 UTC: looks up the DNS records of all sending domains again. core/domain/recheck-domains.ts does it.

import { recheckDomains } from '../../core/domain/recheck-domains.ts';
import type { Job } from '../job.ts';

/** The job `verify-domains`. */
export const verifyDomains: Job = async ({ db, dns, config, log }, { now, signal }) => ({
  ...(await recheckDomains({ db, dns, config, log }, { now, signal })),
});
