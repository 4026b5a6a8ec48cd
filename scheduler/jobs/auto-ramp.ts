// 02:00 UTC: moves tiers by the rates of the day before. core/warmup/ramp.ts does it. The day before is that of
// the run time: a run that is made up for after midnight must not skip it.

import { toId } from '../../core/base/ids.ts';
import { rampSources } from '../../core/source/ramp-sources.ts';
import { rampTiers } from '../../core/warmup/ramp.ts';
import type { Job } from '../job.ts';

/** The job `auto-ramp`. */
export const autoRamp: Job = async ({ db, publishWarmup }, { now, runTime, manual, late, signal }) => {
  const onChange = (tenantId: string, domainId: string) =>
    publishWarmup?.(tenantId, { domain_id: toId('dom', domainId) });
  const ramped = await rampTiers(db.pool, { now: manual ? now : runTime, late, signal, onChange });
  return { ...ramped, sources: await rampSources(db.pool, ramped.day, late) };
};
