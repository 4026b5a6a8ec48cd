// Every hour: launches campaigns whose time has come, which the campaign loop does within a second by itself, and
// keeps the counts of those that ended long ago, before their messages are removed.

import { launchScheduled } from '../../core/campaign/campaign-store.ts';
import { freezeStats, readStats, selectUnfrozen } from '../../core/campaign/stats-store.ts';
import type { Job } from '../job.ts';

const DAY_MS = 86_400_000;
const FREEZE_AFTER_DAYS = 30; // messages are kept for 35 at least (RETENTION_MESSAGE_DAYS); late opens count till then
const BATCH = 100;

/** The job `launch-campaigns`. */
export const launchCampaigns: Job = async ({ db }, { now, manual, signal }) => {
  const launched = await launchScheduled(db.pool, manual ? now : null);
  let frozen = 0;
  for (;;) {
    signal.throwIfAborted();
    const old = await selectUnfrozen(db.pool, new Date(now.getTime() - FREEZE_AFTER_DAYS * DAY_MS), BATCH);
    for (const { tenantId, id } of old) {
      const stats = (await readStats(db.pool, tenantId, [id])).get(id);
      if (stats) await freezeStats(db.pool, tenantId, id, stats);
    }
    frozen += old.length;
    if (old.length < BATCH) return { launched, frozen };
  }
};
