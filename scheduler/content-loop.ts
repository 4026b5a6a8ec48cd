// Deletes what messages say once they have ended, for tenants that keep none. What is to be deleted was noted in the
// transaction that accepted it, so a process that dies anywhere leaves nothing behind. Until it is deleted nobody is
// shown it either (core/message/content-store.ts). Any number of schedulers may do so side by side.

import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { deleteEnded } from '../core/message/content-store.ts';

/** What the loop needs. */
export interface ContentLoopDeps {
  db: Database;
  log: Logger;
}

const ROUND = 1_000; // contents looked at in one statement
const PAUSE_MS = 200; // between rounds: a million that wait are looked at every few minutes
const IDLE_MS = 3_000;
const LOWEST = '00000000-0000-0000-0000-000000000000';

/** Starts the loop. It ends after the round in flight. */
export function startContentLoop({ db, log }: ContentLoopDeps): Loop {
  let after = LOWEST;
  return startLoop({
    what: 'deleting contents that are not kept',
    log,
    isExpected: isDatabaseAway,
    async step() {
      const { looked, last } = await deleteEnded(db.pool, after, ROUND);
      const more = looked === ROUND && last !== null;
      after = more ? last : LOWEST;
      return more ? PAUSE_MS : IDLE_MS;
    },
  });
}
