// Launches campaigns when their time has come and works on those that are being sent, paused or cancelled: one at a
// time, in slices, the one due longest first, so that no campaign holds another tenant's up. Any number of schedulers
// may do so side by side: a claim keeps them apart.

import { toId } from '../core/base/ids.ts';
import { messageMaxAgeMs, type Config } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import { launchScheduled } from '../core/campaign/campaign-store.ts';
import { workOnCampaign, type CampaignWorkDeps } from '../core/campaign/work.ts';
import type { SenderClient } from '../core/clients/sender.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';

/** What the loop needs. */
export interface CampaignLoopDeps {
  config: Pick<Config, 'WORKER_LEASE_MS' | 'MESSAGE_MAX_AGE_HOURS'>;
  db: Database;
  sender: Pick<SenderClient, 'sendBatch'>;
  log: Logger;
  /** Steps at which a test kills the process. */
  fail?: Fail;
  /** Publishes progress to live views; may be lost. */
  publishCampaign?: (tenantId: string, progress: { campaign_id: string }) => void;
}

const SLICE_MS = 3_000; // then the next campaign is worked on
const IDLE_MS = 250; // a launch begins within this

/** Starts the loop. It ends after the batch in flight. */
export function startCampaignLoop(deps: CampaignLoopDeps): Loop {
  const work: CampaignWorkDeps = {
    db: deps.db,
    sender: deps.sender,
    leaseMs: deps.config.WORKER_LEASE_MS,
    fail: deps.fail ?? (() => {}),
    maxAgeMs: messageMaxAgeMs(deps.config),
    publish: ({ tenantId, id }) => deps.publishCampaign?.(tenantId, { campaign_id: toId('cmp', id) }),
  };
  return startLoop({
    what: 'campaigns',
    log: deps.log,
    isExpected: isDatabaseAway,
    async step(signal) {
      await launchScheduled(deps.db.pool, null);
      return (await workOnCampaign(work, { sliceMs: SLICE_MS, signal })) ? 0 : IDLE_MS;
    },
  });
}
