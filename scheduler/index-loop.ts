// Fills the index that messages are searched with (core/message/search/segments.ts). Any number of schedulers may do so
// side by side.

import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { indexMessages } from '../core/message/search/segments.ts';

/** What the loop needs. */
export interface IndexLoopDeps {
  db: Database;
  log: Logger;
}

const IDLE_MS = 10_000; // what comes meanwhile is read from the messages themselves

/** Starts the loop. It ends after the segment in flight. */
export function startIndexLoop({ db, log }: IndexLoopDeps): Loop {
  return startLoop({
    what: 'the index of messages',
    log,
    isExpected: isDatabaseAway,
    step: async (signal) => ((await indexMessages(db.pool, signal)) > 0 ? 0 : IDLE_MS),
  });
}
