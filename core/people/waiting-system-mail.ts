// How much mail of this service people do not have yet: for the metrics and for operators.

import type { Config } from '../base/config.ts';
import type { Buckets } from '../db/buckets.ts';
import type { Database } from '../db/pool.ts';
import { countDeferredSystemMail } from '../message/release-store.ts';
import { systemDomain } from '../system-mail/system-domain.ts';
import { countUnsubmittedMail } from '../system-mail/system-mail-store.ts';
import { selectVerifiedOwner } from './invitation-store.ts';

/** What counting needs. */
export interface WaitingSystemMailDeps {
  db: Pick<Database, 'pool'>;
  buckets: Buckets;
  config: Pick<Config, 'SYSTEM_MAIL_FROM'>;
}

/** Mail that is not submitted yet, and mail that was submitted and waits for the cap of the domain of SYSTEM_MAIL_FROM. */
export async function countWaitingSystemMail(deps: WaitingSystemMailDeps): Promise<number> {
  const { db, buckets, config } = deps;
  const unsubmitted = await countUnsubmittedMail(db.pool);
  const domain = systemDomain(config);
  const tenantId = domain === null ? null : await selectVerifiedOwner(db.pool, domain);
  if (domain === null || tenantId === null) return unsubmitted;
  const { pool } = buckets.database(await buckets.ofTenant(tenantId));
  return unsubmitted + (await countDeferredSystemMail(pool, tenantId, domain));
}
