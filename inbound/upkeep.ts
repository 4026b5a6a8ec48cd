// What nobody waits for: chunks of mail that never arrived in full, and what is old enough to go: mail, and deliveries of
// events.

import type pg from 'pg';

import type { Config } from '../core/base/config.ts';
import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { dropLostUploads } from '../core/inbound/raw-store.ts';
import { deleteOldPostmasterMail } from '../core/operations/postmaster-store.ts';
import { deleteOldInbound } from '../core/inbound/retention-store.ts';
import { deleteOldDeliveries } from '../core/webhook/turned-off-store.ts';

const GAP_MS = 60_000;
const BATCH = 200;
const MAX_BATCHES = 50; // per round, so that a backlog does not hold the disk
const EVENT_DELIVERY_DAYS = 30;
const SLACK_MS = 60_000; // beyond the longest session, for the commit at its end

/** Starts it. Any number of processes may run it side by side. */
export function startUpkeep(deps: {
  pool: pg.Pool;
  log: Logger;
  config: Pick<Config, 'INBOUND_SESSION_SECONDS' | 'INBOUND_RETENTION_DAYS'>;
  /** Whether it also looks after what there is once for all buckets. */
  ofService: boolean;
}): Loop {
  return startLoop({
    what: 'upkeep of inbound mail',
    log: deps.log,
    isExpected: isDatabaseAway,
    longestPauseMs: GAP_MS,
    async step(signal) {
      await once(deps, signal);
      return GAP_MS;
    },
  });
}

async function once(deps: Parameters<typeof startUpkeep>[0], signal: AbortSignal): Promise<void> {
  const { pool, config, log } = deps;
  const lost = await dropLostUploads(pool, config.INBOUND_SESSION_SECONDS * 1000 + SLACK_MS);
  if (lost > 0) log.info({ uploads: lost }, 'incomplete uploads were deleted');
  if (deps.ofService) await deleteOldPostmasterMail(pool, config.INBOUND_RETENTION_DAYS);
  for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
    if ((await deleteOldDeliveries(pool, EVENT_DELIVERY_DAYS, BATCH)) === 0) break;
  }
  for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
    if ((await deleteOldInbound(pool, config.INBOUND_RETENTION_DAYS, BATCH)) < BATCH) return;
  }
}
