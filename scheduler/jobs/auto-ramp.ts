// 02:00 UTC: moves tiers by the rates of the day before. core/warmup/ramp.ts does it. The day before is that of
// the run time: a run that is made up for after midnight must not skip it. Addresses that mail leaves from are the service's:
// theirs move once, by the mail of all buckets.

import { toId } from '../../core/base/ids.ts';
import { rampSources } from '../../core/source/ramp-sources.ts';
import { rampTiers } from '../../core/warmup/ramp.ts';
import { isInFirst, type Job } from '../job.ts';

/** The job `auto-ramp`. */
export const autoRamp: Job = async (deps, { now, runTime, manual, late, signal }) => {
  const { db, buckets, publishWarmup } = deps;
  const onChange = (tenantId: string, domainId: string) =>
    publishWarmup?.(tenantId, { domain_id: toId('dom', domainId) });
  const ramped = await rampTiers(db.pool, { now: manual ? now : runTime, late, signal, onChange });
  if (!isInFirst(deps)) return { ...ramped };
  return { ...ramped, sources: await rampSources(buckets, ramped.day, late) };
};
