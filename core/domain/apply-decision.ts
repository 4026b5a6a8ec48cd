// Writes what verification decided: status, records, keys of a rotation, rivals and audit in one transaction. The
// name is locked, so of two tenants who verify it at the same moment exactly one has it.

import { service, type Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { toId } from '../base/ids.ts';
import type { RecordStatus } from '../db/schema/domain.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import { mailOwners } from '../system-mail/system-mail-store.ts';
import { resumeHeld } from '../warmup/room-store.ts';
import { lockOpenDays } from '../warmup/warmup-store.ts';
import type { Decision } from './decide-status.ts';
import { promotePending } from './dkim-store.ts';
import type { Domain, DomainStatus } from './domain.ts';
import {
  claimName,
  failRivals,
  isVerifiedElsewhere,
  lockName,
  releaseName,
  updateChecked,
} from './domain-store.ts';
import { domainEntry } from './domains.ts';
import { DOMAIN_KEY } from './records.ts';

/** Who looks domains up without being asked. */
export const RECHECK = service('system'); // as these rows have always named it

const TAKEN: Record<string, RecordStatus> = {
  [DOMAIN_KEY]: { status: 'wrong', problem: 'Another account has verified this name.' },
};

/** Applies a decision. Returns the status that the domain has now; null when somebody changed it meanwhile. */
export async function applyDecision(
  deps: ChangeDeps,
  by: Actor,
  domain: Domain,
  decision: Decision,
): Promise<DomainStatus | null> {
  try {
    return await applyOnce(deps, by, domain, decision);
  } catch (error) {
    // The claim, and in a bucket the unique index on verified names, has the last word; the second read sees the winner.
    if (!(error instanceof ClaimLost || isUniqueViolation(error))) throw error;
    return applyOnce(deps, by, domain, decision);
  }
}

class ClaimLost extends Error {}

async function applyOnce(
  deps: ChangeDeps,
  by: Actor,
  domain: Domain,
  decision: Decision,
): Promise<DomainStatus | null> {
  const { id, tenantId, name } = domain;
  return change(deps, by, async (client, record) => {
    await lockName(client, name);
    await lockOpenDays(client, [{ tenantId, domainId: id }]);
    const wins = decision.status === 'verified' && domain.status !== 'verified';
    const refused = wins && (await isVerifiedElsewhere(client, tenantId, name));
    const status = refused ? 'failed' : decision.status;
    const recordStatus = { ...decision.recordStatus, ...(refused ? TAKEN : {}) };
    const { failingSince } = decision;
    const row = { tenantId, id, expected: domain.status, status, recordStatus, failingSince };
    if (!(await updateChecked(client, row))) return null;
    if (status === 'verified' && !(await claimName(client, domain))) throw new ClaimLost();
    if (status !== 'verified' && domain.status === 'verified') await releaseName(client, tenantId, name);
    if (decision.promoteKeys) {
      await promotePending(client, tenantId, id);
      await record(domainEntry('domain.dkim_switched', tenantId, id, { name }));
    }
    if (status !== domain.status) {
      const reason = refused ? TAKEN[DOMAIN_KEY]?.problem : decision.reason;
      await record(domainEntry(`domain.${status}`, tenantId, id, { name, reason }));
    }
    if (wins && !refused) {
      if (domain.warmupState !== 'paused')
        await resumeHeld(client, { tenantId, domainId: id }, 'domain_paused');
      if (by === RECHECK)
        await mailOwners(client, tenantId, { kind: 'domain_verified', data: { id: toId('dom', id), name } });
      for (const rival of await failRivals(client, domain, TAKEN)) {
        const details = { name, reason: TAKEN[DOMAIN_KEY]?.problem };
        await record(domainEntry('domain.failed', rival.tenantId, rival.id, details));
      }
    }
    return status;
  });
}
