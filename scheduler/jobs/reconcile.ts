// 01:30 UTC: for the day before, checks the counts that the cap and the ramp go by against the messages, and keeps what each
// route accepted beside what we sent through it.

import { utcDay } from '../../core/base/clock.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { checkDay } from '../../core/warmup/check-day.ts';
import { countOlderDay } from '../../core/warmup/counted-days.ts';
import { storeAccepted } from '../../core/warmup/reconcile-store.ts';
import type { Job } from '../job.ts';

const DAY_MS = 86_400_000;

/** The job `reconcile`. */
export const reconcile: Job = async ({ db: { pool }, config, log }, { now, runTime, manual }) => {
  const day = utcDay(new Date((manual ? now : runTime).getTime() - DAY_MS));
  const shares = config.OUTBOUND_ROUTES.map(({ name, sub_cap_share: share }) => ({
    name,
    share: share ?? 1,
  }));
  await countOlderDay(pool, day);
  const { mismatches, corrected, sampled, tooLarge } = await checkDay(pool, day);
  for (const mismatch of mismatches.slice(0, 10))
    log.error({ day, ...mismatch }, 'the count of a day differs from the number of messages admitted on it');
  if (corrected.length > 0) log.error({ day, corrected: corrected.length }, 'counts of attempts were wrong');
  const routes = await inTransaction(pool, (client) => storeAccepted(client, day, shares));
  return {
    day,
    tenant_routes: routes,
    mismatches: mismatches.length,
    corrected: corrected.length,
    sampled,
    too_large: tooLarge,
  };
};
