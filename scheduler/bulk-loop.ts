// Makes bulk changes: one at a time, in slices, the one that waited longest first, so that a million rows hold no other
// tenant's up. Any number of schedulers may do so side by side: a claim keeps them apart.

import type { Config } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import { sweepBulkChanges, workOnBulkChange } from '../core/bulk/bulk-changes.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';

/** What the loop needs. */
export interface BulkLoopDeps {
  config: Pick<Config, 'WORKER_LEASE_MS'>;
  db: Database;
  log: Logger;
  /** Steps at which a test kills the process. */
  fail?: Fail;
}

const SLICE_MS = 5_000; // then the next bulk change is worked on
const IDLE_MS = 500; // one begins within this after its request
const POLLS_PER_SWEEP = 600; // about every five minutes

/** Starts the loop. It ends after the batch in flight. */
export function startBulkLoop(deps: BulkLoopDeps): Loop {
  const { db, log, config, fail = () => {} } = deps;
  let polls = 0;
  return startLoop({
    what: 'bulk changes',
    log,
    isExpected: isDatabaseAway,
    async step(signal) {
      if (polls++ % POLLS_PER_SWEEP === 0) await sweepBulkChanges(db);
      const slice = { sliceMs: SLICE_MS, leaseMs: config.WORKER_LEASE_MS, signal, fail };
      return (await workOnBulkChange(db, slice)) ? 0 : IDLE_MS;
    },
  });
}
