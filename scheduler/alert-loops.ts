// Watches what tenants have rules for, and posts what was found to their chats. Any number of schedulers may do so side
// by side.

import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import { sendDueChat, type ChatDeps } from '../core/alert/send-chat.ts';
import { watchOnce, type WatchDeps } from '../core/alert/watch.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';

const WATCH_EVERY_MS = 15_000; // an alert opens within this
const CHAT_PAUSE_MS = 1_000;
const CHATS_AT_ONCE = 3; // one that hangs holds the others up for CHAT_TIMEOUT_MS at most; each takes a connection meanwhile

/** Starts watching for the rules of a bucket. It ends after the step in flight. */
export function startWatchLoop(deps: WatchDeps & { log: Logger }): Loop {
  return startLoop({
    what: 'watching for alerts',
    log: deps.log,
    isExpected: isDatabaseAway,
    step: async (signal) => ((await watchOnce(deps, signal)) > 0 ? 0 : WATCH_EVERY_MS),
  });
}

/** What posting for all buckets needs: `places` are those that are open. */
export type ChatLoopDeps = Omit<ChatDeps, 'db'> & { log: Logger; places(): { db: Database }[] };

/** Starts posting to chats, a few at once over all buckets. They end after the step in flight. */
export function startChatLoops(deps: ChatLoopDeps): Loop[] {
  return Array.from({ length: CHATS_AT_ONCE }, () =>
    startLoop({
      what: 'posting alerts to chats',
      log: deps.log,
      isExpected: isDatabaseAway,
      step: async (signal) => ((await postOfEach(deps, signal)) ? 0 : CHAT_PAUSE_MS),
    }),
  );
}

// One of each bucket at most, so that none of them waits for all of another's. One bucket's failure keeps no other from its turn.
async function postOfEach(deps: ChatLoopDeps, signal: AbortSignal): Promise<boolean> {
  let posted = false;
  let failure: unknown = null;
  for (const { db } of deps.places()) {
    if (signal.aborted) break;
    try {
      if (await sendDueChat({ ...deps, db })) posted = true;
    } catch (error) {
      failure = error;
    }
  }
  if (failure) throw failure;
  return posted;
}
