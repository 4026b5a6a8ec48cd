// What nobody waits for: chunks of mail that never arrived in full, and mail that is old enough to go.

import type pg from 'pg';

import { sleep } from '../core/base/clock.ts';
import type { Config } from '../core/base/config.ts';
import type { Logger } from '../core/base/log.ts';
import { dropLostUploads } from '../core/inbound/raw-store.ts';
import { deleteOldInbound } from '../core/inbound/retention-store.ts';

const GAP_MS = 60_000;
const BATCH = 200;
const MAX_BATCHES = 50; // per round, so that a backlog does not hold the disk
const SLACK_MS = 60_000; // beyond the longest session, for the commit at its end

/** Starts it. Any number of processes may run it side by side. */
export function startUpkeep(deps: {
  pool: pg.Pool;
  log: Logger;
  config: Pick<Config, 'INBOUND_SESSION_SECONDS' | 'INBOUND_RETENTION_DAYS'>;
}): { stop(): Promise<void> } {
  const abort = new AbortController();
  const run = async () => {
    while (!abort.signal.aborted) {
      await once(deps, abort.signal).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'upkeep of inbound mail failed; the next round tries again');
      });
      await sleep(GAP_MS, abort.signal);
    }
  };
  const running = run();
  return {
    stop: () => {
      abort.abort();
      return running;
    },
  };
}

async function once(deps: Parameters<typeof startUpkeep>[0], signal: AbortSignal): Promise<void> {
  const { pool, config, log } = deps;
  const lost = await dropLostUploads(pool, config.INBOUND_SESSION_SECONDS * 1000 + SLACK_MS);
  if (lost > 0) log.info({ uploads: lost }, 'mail that never arrived in full was forgotten');
  for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
    if ((await deleteOldInbound(pool, config.INBOUND_RETENTION_DAYS, BATCH)) < BATCH) return;
  }
}
