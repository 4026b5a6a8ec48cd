// Sends the mail that this service owes to people. Any number of schedulers may do so side by side.

import { startLoop, type Loop } from '../core/base/loop.ts';
import type { Logger } from '../core/base/log.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { sendDueSystemMail, type SystemMailDeps } from '../core/people/send-system-mail.ts';

const PAUSE_MS = 1_000; // somebody waits for the link that resets a password

/** Starts the loop. */
export function startSystemMailLoop(deps: SystemMailDeps & { log: Logger }): Loop {
  return startLoop({
    what: 'sending mail of this service',
    log: deps.log,
    isExpected: isDatabaseAway,
    step: async () => ((await sendDueSystemMail(deps)) ? 0 : PAUSE_MS),
  });
}
