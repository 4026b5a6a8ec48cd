// The jobs by name.

import type { JobTable } from './job.ts';
import { autoRamp } from './jobs/auto-ramp.ts';
import { launchCampaigns } from './jobs/launch-campaigns.ts';
import { reconcile } from './jobs/reconcile.ts';
import { releaseDeferred } from './jobs/release-deferred.ts';
import { retention } from './jobs/retention.ts';
import { tlsReports } from './jobs/tls-reports.ts';
import { tierReset } from './jobs/tier-reset.ts';
import { verifyDomains } from './jobs/verify-domains.ts';

/** What is run at the times of core/job/job-names.ts. */
export const JOBS: JobTable = {
  'release-deferred': releaseDeferred,
  'tls-reports': tlsReports,
  'tier-reset': tierReset,
  reconcile,
  'auto-ramp': autoRamp,
  retention,
  'launch-campaigns': launchCampaigns,
  'verify-domains': verifyDomains,
};
