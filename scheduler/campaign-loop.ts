// Launches campaigns when their time has come and works on those that are being sent, paused or cancelled: one at a
// time, in slices, the one due longest first, so that no campaign holds another tenant's up. Any number of schedulers
// may do so side by side: a claim keeps them apart.

import { toId } from '../core/base/ids.ts';
import { sleep } from '../core/base/clock.ts';
import { messageMaxAgeMs, type Config } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import { launchScheduled } from '../core/campaign/campaign-store.ts';
import { workOnCampaign, type CampaignWorkDeps } from '../core/campaign/work.ts';
import type { SenderClient } from '../core/clients/sender.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';

/** A running loop. */
export interface CampaignLoop {
  /** Ends after the batch in hand. */
  stop(): Promise<void>;
}

/** What the loop needs. */
export interface CampaignLoopDeps {
  config: Pick<Config, 'WORKER_LEASE_MS' | 'MESSAGE_MAX_AGE_HOURS'>;
  db: Database;
  sender: Pick<SenderClient, 'sendBatch'>;
  log: Logger;
  /** Steps at which a test kills the process. */
  fail?: Fail;
  /** Live views are told of progress; may be lost. */
  tellCampaign?: (tenantId: string, progress: { campaign_id: string }) => void;
}

const SLICE_MS = 3_000; // then the next campaign has its turn
const IDLE_MS = 250; // a launch begins within this
const FAILED_PAUSE_MS = 2_000;

/** Starts the loop. */
export function startCampaignLoop(deps: CampaignLoopDeps): CampaignLoop {
  const stop = new AbortController();
  const running = run(deps, stop.signal);
  return {
    stop: () => {
      stop.abort();
      return running;
    },
  };
}

async function run(deps: CampaignLoopDeps, signal: AbortSignal): Promise<void> {
  const work: CampaignWorkDeps = {
    db: deps.db,
    sender: deps.sender,
    leaseMs: deps.config.WORKER_LEASE_MS,
    fail: deps.fail ?? (() => {}),
    maxAgeMs: messageMaxAgeMs(deps.config as Config),
    tell: ({ tenantId, id }) => deps.tellCampaign?.(tenantId, { campaign_id: toId('cmp', id) }),
  };
  while (!signal.aborted) {
    try {
      await launchScheduled(deps.db.pool, null);
      if (!(await workOnCampaign(work, { sliceMs: SLICE_MS, signal }))) await sleep(IDLE_MS, signal);
    } catch (error) {
      const level = isDatabaseAway(error) ? 'warn' : 'error';
      deps.log[level]({ err: error }, 'a campaign stopped; it is taken up again');
      await sleep(FAILED_PAUSE_MS, signal);
    }
  }
}
