// Turns off webhooks that nobody answers at, and tells their owners. Any number of schedulers may do so side by side.

import { startLoop, type Loop } from '../core/base/loop.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { turnOffAndTell, type TurnedOffDeps } from '../core/webhook/turned-off.ts';
import type { Logger } from '../core/base/log.ts';

const PAUSE_MS = 30_000;

/** Starts the loop. */
export function startWebhookLoop(deps: TurnedOffDeps & { log: Logger }): Loop {
  return startLoop({
    what: 'turning off webhooks that fail',
    log: deps.log,
    isExpected: isDatabaseAway,
    longestPauseMs: PAUSE_MS,
    step: async () => ((await turnOffAndTell(deps)) ? 0 : PAUSE_MS),
  });
}
