// Counts what mail came to by day (core/analytics/roll-up.ts). Any number of schedulers may do so side by side.

import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { rollUp } from '../core/analytics/roll-up.ts';

/** What the loop needs. */
export interface AnalyticsLoopDeps {
  db: Database;
  log: Logger;
  fail: Fail;
}

const IDLE_MS = 10_000; // beside the half minute after which a message is counted

/** Starts the loop. It ends after the batch in flight. */
export function startAnalyticsLoop({ db, log, fail }: AnalyticsLoopDeps): Loop {
  return startLoop({
    what: 'analytics',
    log,
    isExpected: isDatabaseAway,
    step: async (signal) => ((await rollUp(db.pool, signal, fail)) ? 0 : IDLE_MS),
  });
}
