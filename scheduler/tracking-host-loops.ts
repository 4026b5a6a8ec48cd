// Tracking hosts: one loop looks their records up, another orders their certificates, so that a slow directory holds up no
// look-up. Any number of schedulers may do so side by side.

import type { SchedulerConfig } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import type { DomainDns } from '../core/domain/dns-lookup.ts';
import { checkHosts } from '../core/tracking-host/check-hosts.ts';
import type { GivenCertificates } from '../core/tracking-host/given-certificates.ts';
import { orderNext } from '../core/tracking-host/order-step.ts';

const IDLE_MS = 1_000; // what was due meanwhile is late by this much

/** Starts the loops that the settings ask for: none without a folder and without a directory. */
export function startTrackingHostLoops(deps: {
  config: SchedulerConfig;
  db: Database;
  dns: DomainDns;
  given: GivenCertificates | null;
  log: Logger;
  fail: Fail;
}): Loop[] {
  const { config, db, dns, given, log, fail } = deps;
  const { ACME_DIRECTORY_URL } = config;
  if (ACME_DIRECTORY_URL === undefined && given === null) return [];
  const common = { log, isExpected: isDatabaseAway };
  const check = startLoop({
    ...common,
    what: 'records of tracking hosts',
    step: async () => ((await checkHosts({ db, dns, config, given })) ? 0 : IDLE_MS),
  });
  if (ACME_DIRECTORY_URL === undefined) return [check];
  const ordering = { db, log, fail, config: { ...config, ACME_DIRECTORY_URL } };
  const order = startLoop({
    ...common,
    what: 'certificates of tracking hosts',
    step: async () => ((await orderNext(ordering)) ? 0 : IDLE_MS),
  });
  return [check, order];
}
