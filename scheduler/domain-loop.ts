// Looks up the records of new domains that wait for them. Any number of schedulers may do so side by side: each claims what is due.

import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { checkPending } from '../core/domain/recheck-domains.ts';
import type { VerifyDeps } from '../core/domain/verify-domain.ts';

const IDLE_MS = 5_000; // what was due meanwhile is late by this much, of five minutes

/** Starts the loop. */
export function startDomainLoop(deps: VerifyDeps & { log: Logger }): Loop {
  return startLoop({
    what: 'records of new domains',
    log: deps.log,
    isExpected: isDatabaseAway,
    step: async () => ((await checkPending(deps)) ? 0 : IDLE_MS),
  });
}
