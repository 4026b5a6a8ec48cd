// Verifies a sending domain: looks its records up now and writes what was found.

import type { Actor } from '../audit/actor.ts';
import { notFound } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { applyDecision } from './apply-decision.ts';
import { checkRecords } from './check-records.ts';
import { decideStatus } from './decide-status.ts';
import { selectKeys } from './dkim-store.ts';
import type { RecordDns } from './dns-lookup.ts';
import type { DomainView } from './domain.ts';
import { selectDomain } from './domain-store.ts';
import { getDomain, type DomainDeps } from './domains.ts';
import { records } from './records.ts';

/** What verification needs. */
export interface VerifyDeps extends Pick<DomainDeps, 'db' | 'config'> {
  dns: RecordDns;
  log: Logger;
}

/** Looks DNS up and answers the domain as it is then. Throws not_found. */
export async function verifyDomain(
  deps: VerifyDeps,
  by: Actor,
  tenantId: string,
  domainId: string,
): Promise<DomainView> {
  const { db, config, dns, log } = deps;
  const domain = await selectDomain(db.pool, tenantId, domainId);
  if (!domain) throw notFound('domain');
  const keys = (await selectKeys(db.pool, [domain])).get(domain.id) ?? [];
  const results = await checkRecords(dns, domain.name, records(domain, keys, config), keys);
  const decision = decideStatus(domain, keys, results, domain.readAt);
  const status = await applyDecision(deps, by, domain, decision);
  if (status !== null && status !== domain.status)
    log.info({ domain: domain.name, from: domain.status, to: status }, 'a domain changed its status');
  return getDomain(deps, tenantId, domainId);
}
