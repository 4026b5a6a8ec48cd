// Watches what tenants have rules for, and posts what was found to their chats. Any number of schedulers may do so side
// by side.

import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import { sendDueChat, type ChatDeps } from '../core/alert/send-chat.ts';
import { watchOnce } from '../core/alert/watch.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';

const WATCH_EVERY_MS = 15_000; // an alert opens within this
const CHAT_PAUSE_MS = 1_000;
const CHATS_AT_ONCE = 3; // one that hangs holds the others up for CHAT_TIMEOUT_MS at most; each takes a connection meanwhile

/** Starts the loops. They end after the step in flight. */
export function startAlertLoops(deps: ChatDeps & { log: Logger }): Loop[] {
  const shared = { log: deps.log, isExpected: isDatabaseAway };
  const watch = startLoop({
    ...shared,
    what: 'watching for alerts',
    step: async (signal) => ((await watchOnce(deps, signal)) > 0 ? 0 : WATCH_EVERY_MS),
  });
  const chats = Array.from({ length: CHATS_AT_ONCE }, () =>
    startLoop({
      ...shared,
      what: 'posting alerts to chats',
      step: async () => ((await sendDueChat(deps)) ? 0 : CHAT_PAUSE_MS),
    }),
  );
  return [watch, ...chats];
}
