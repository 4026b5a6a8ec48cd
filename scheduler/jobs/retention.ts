// 03:00 UTC: makes the partitions of the coming weeks, drops those that are too old, deletes small old rows; in the first bucket
// also those of the tables that there are once.

import { ensurePartitions } from '../../core/db/partitions.ts';
import { deleteOldRuns } from '../../core/job/job-store.ts';
import { deleteOldRows, dropOldPartitions, type PartitionedTable } from '../../core/job/retention-store.ts';
import { MAX_SCHEDULE_DAYS } from '../../core/message/scheduled-at.ts';
import { deleteOldVersions } from '../../core/template/template-store.ts';
import { isInFirst, type Job } from '../job.ts';

const WEEKS_AHEAD = 6; // a month of a scheduler that is down, and the default partition is behind that
const RUN_DAYS = 400; // of job_runs: a year to look back on
const DAY_MS = 86_400_000;

/** The job `retention`. */
export const retention: Job = async (deps, { now, signal }) => {
  const { db, config, log } = deps;
  const { made, blockedWeeks } = await ensurePartitions(db.pool, now, WEEKS_AHEAD, signal);
  if (blockedWeeks.length > 0)
    log.warn({ weeks: blockedWeeks }, 'mail of these weeks is in the default partition');
  const keptDays: Record<PartitionedTable, number> = {
    message_contents: config.RETENTION_CONTENT_DAYS,
    message_attempts: config.RETENTION_MESSAGE_DAYS,
    event_log: config.RETENTION_MESSAGE_DAYS, // before events: what followers are given is there
    events: config.RETENTION_MESSAGE_DAYS,
    message_segments: config.RETENTION_MESSAGE_DAYS,
    message_terms: config.RETENTION_MESSAGE_DAYS,
    message_engagements: config.RETENTION_MESSAGE_DAYS,
    messages: config.RETENTION_MESSAGE_DAYS,
  };
  const dropped: string[] = [];
  for (const [table, days] of Object.entries(keptDays) as [PartitionedTable, number][]) {
    signal.throwIfAborted();
    dropped.push(...(await dropOldPartitions(db.pool, table, new Date(now.getTime() - days * DAY_MS))));
  }
  const deleted = await deleteOldRows(db.pool, now, 'bucket');
  const ofService = isInFirst(deps) ? await deleteOldRows(db.pool, now, 'service') : {};
  const runs = await deleteOldRuns(db.pool, new Date(now.getTime() - RUN_DAYS * DAY_MS));
  // A message is kept from when it was accepted; it may leave so much later.
  const versionDays = config.RETENTION_MESSAGE_DAYS + MAX_SCHEDULE_DAYS;
  const versions = await deleteOldVersions(db.pool, new Date(now.getTime() - versionDays * DAY_MS));
  return {
    partitions_made: made,
    partitions_dropped: dropped,
    deleted: { ...deleted, ...ofService, job_runs: runs, template_versions: versions },
  };
};
