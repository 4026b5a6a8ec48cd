// Claims of names against what is verified. They change in one transaction, but for what a service of the version before
// 0050_buckets does beside this one: it knows no claims.

import type { Queryable } from '../db/pool.ts';
import { claimName, releaseName, selectStaleClaims, selectUnclaimed } from './domain-store.ts';

/** Makes the claims of a bucket what its domains say: those that are missing, as far as they are free, and none too many. */
export async function settleClaims(db: Queryable): Promise<void> {
  for (const { tenantId, name } of await selectStaleClaims(db)) await releaseName(db, tenantId, name);
  for (const domain of await selectUnclaimed(db)) await claimName(db, domain);
}
