// Looks up the records of new domains that wait for them. Any number of schedulers may do so side by side: each claims what is due.

import type { SchedulerConfig } from '../core/base/config.ts';
import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { createDomainDns } from '../core/domain/dns-lookup.ts';
import { checkPending } from '../core/domain/recheck-domains.ts';

const IDLE_MS = 5_000; // what was due meanwhile is late by this much, of five minutes

/** Starts the loop. */
export function startDomainLoop(deps: { config: SchedulerConfig; db: Database; log: Logger }): Loop {
  const dns = createDomainDns(deps.config);
  return startLoop({
    what: 'records of new domains',
    log: deps.log,
    isExpected: isDatabaseAway,
    step: async () => ((await checkPending({ ...deps, dns })) ? 0 : IDLE_MS),
  });
}
