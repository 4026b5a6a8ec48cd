// 01:30 UTC: for the day before, compares the admissions that were counted with the messages that have them, and keeps
// what each route accepted beside what we sent through it.

import { utcDay } from '../../core/base/clock.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { readMismatches, storeAccepted } from '../../core/warmup/reconcile-store.ts';
import type { Job } from '../job.ts';

const DAY_MS = 86_400_000;
const LONGEST_MS = 600_000; // each statement looks at all mail of a day

/** The job `reconcile`. */
export const reconcile: Job = async ({ db, config, log }, { now, runTime, manual }) => {
  const day = utcDay(new Date((manual ? now : runTime).getTime() - DAY_MS));
  const shares = config.OUTBOUND_ROUTES.map(({ name, sub_cap_share: share }) => ({
    name,
    share: share ?? 1,
  }));
  return inTransaction(db.pool, async (client) => {
    await client.query(`set local statement_timeout = ${LONGEST_MS}`);
    const routes = await storeAccepted(client, day, shares);
    const mismatches = await readMismatches(client, day);
    for (const mismatch of mismatches.slice(0, 10))
      log.error(
        { day, ...mismatch },
        'the count of a day differs from the number of messages admitted on it',
      );
    return { day, tenant_routes: routes, mismatches: mismatches.length };
  });
};
