// Writes what verification decided: status, records, keys of a rotation, rivals and audit in one transaction. The
// name is locked, so of two tenants who verify it at the same moment exactly one has it.

import { isUniqueViolation } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Database } from '../db/pool.ts';
import type { RecordStatus } from '../db/schema/domain.ts';
import { insertAudit } from '../tenant/tenant-store.ts';
import type { Decision } from './decide-status.ts';
import { promotePending } from './dkim-store.ts';
import type { Domain, DomainStatus } from './domain.ts';
import { failRivals, isVerifiedElsewhere, lockName, updateChecked } from './domain-store.ts';
import { audit } from './domains.ts';
import { DOMAIN_KEY } from './records.ts';

const TAKEN: Record<string, RecordStatus> = {
  [DOMAIN_KEY]: { status: 'wrong', problem: 'Another account has verified this name.' },
};

/** Applies a decision. Returns the status that the domain has now; null when somebody changed it meanwhile. */
export async function applyDecision(
  db: Database,
  domain: Domain,
  decision: Decision,
  actor?: string,
): Promise<DomainStatus | null> {
  try {
    return await applyOnce(db, domain, decision, actor);
  } catch (error) {
    // The unique index on verified names has the last word; on a second look the winner is seen.
    if (!isUniqueViolation(error)) throw error;
    return applyOnce(db, domain, decision, actor);
  }
}

async function applyOnce(
  db: Database,
  domain: Domain,
  decision: Decision,
  actor?: string,
): Promise<DomainStatus | null> {
  const { id, tenantId, name } = domain;
  return inTransaction(db.pool, async (client) => {
    await lockName(client, name);
    const wins = decision.status === 'verified' && domain.status !== 'verified';
    const refused = wins && (await isVerifiedElsewhere(client, tenantId, name));
    const status = refused ? 'failed' : decision.status;
    const recordStatus = { ...decision.recordStatus, ...(refused ? TAKEN : {}) };
    const { failingSince } = decision;
    const row = { tenantId, id, expected: domain.status, status, recordStatus, failingSince };
    if (!(await updateChecked(client, row))) return null;
    if (decision.promoteKeys) {
      await promotePending(client, tenantId, id);
      await insertAudit(client, audit('domain.dkim_switched', tenantId, id, actor, { name }));
    }
    if (status !== domain.status) {
      const reason = refused ? TAKEN[DOMAIN_KEY]?.problem : decision.reason;
      await insertAudit(client, audit(`domain.${status}`, tenantId, id, actor, { name, reason }));
    }
    if (wins && !refused) {
      for (const rival of await failRivals(client, domain, TAKEN)) {
        const data = { name, reason: TAKEN[DOMAIN_KEY]?.problem };
        await insertAudit(client, audit('domain.failed', rival.tenantId, rival.id, actor, data));
      }
    }
    return status;
  });
}
