// DKIM key rotation: a new key under a new selector is published beside the old one and signs as soon as
// verification has seen it (decide-status.ts); the old record may go once the mail it signed has arrived.

import { AppError, notFound } from '../base/errors.ts';
import { newUuid } from '../base/ids.ts';
import { deriveKeys } from '../base/secrets.ts';
import { inTransaction } from '../db/transaction.ts';
import { wasDone } from '../audit/effect-store.ts';
import { insertAudit } from '../tenant/tenant-store.ts';
import { makeDkimKeys } from './dkim-key.ts';
import { deletePending, insertKeys, selectKeys } from './dkim-store.ts';
import type { DomainView } from './domain.ts';
import { lockName, selectDomain } from './domain-store.ts';
import { audit, getDomain, type DomainDeps } from './domains.ts';

const STARTED = 'domain.dkim_rotation_started';

/**
 * Starts a rotation. The answer's records show both keys. Throws not_found, or conflict while one is under way that is
 * not of the same effect (UUID).
 */
export async function startDkimRotation(
  deps: DomainDeps,
  tenantId: string,
  domainId: string,
  actor?: string,
  effectId: string = newUuid(),
): Promise<DomainView> {
  const { db, config } = deps;
  const [sealKey] = deriveKeys(config, 'secret-box');
  const domain = await selectDomain(db.pool, tenantId, domainId);
  if (!domain) throw notFound('domain');
  if (await wasDone(db.pool, tenantId, effectId, STARTED)) return getDomain(deps, tenantId, domainId);
  const made = await makeDkimKeys({ ed25519: config.DKIM_ED25519, sealKey });
  await inTransaction(db.pool, async (client) => {
    await lockName(client, domain.name);
    const keys = (await selectKeys(client, [domain])).get(domainId) ?? [];
    if (keys.length === 0) throw notFound('domain');
    if (keys.some((key) => key.state === 'pending'))
      throw new AppError('conflict', `A new DKIM key of ${domain.name} waits for its record already.`);
    await insertKeys(client, { tenantId, domainId }, 'pending', made);
    const data = { name: domain.name, selector: made[0]?.selector };
    await insertAudit(client, { ...audit(STARTED, tenantId, domainId, actor, data), id: effectId });
  });
  return getDomain(deps, tenantId, domainId);
}

/** Gives a rotation up that has not switched yet. Does nothing when there is none. Throws not_found. */
export async function cancelDkimRotation(
  deps: Pick<DomainDeps, 'db' | 'config'>,
  tenantId: string,
  domainId: string,
  actor?: string,
): Promise<DomainView> {
  await inTransaction(deps.db.pool, async (client) => {
    const given = await deletePending(client, tenantId, domainId);
    if (given)
      await insertAudit(client, audit('domain.dkim_rotation_cancelled', tenantId, domainId, actor, {}));
  });
  return getDomain(deps, tenantId, domainId);
}
