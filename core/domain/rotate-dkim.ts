// DKIM key rotation: a new key under a new selector is published beside the old one and signs as soon as
// verification has seen it (decide-status.ts); the old record may go once the mail it signed has arrived.

import type { Actor } from '../audit/actor.ts';
import { isApplied } from '../audit/audit-store.ts';
import { change } from '../audit/change.ts';
import { AppError, notFound } from '../base/errors.ts';
import { deriveKeys } from '../base/secrets.ts';
import { makeDkimKeys } from './dkim-key.ts';
import { deletePending, insertKeys, selectKeys } from './dkim-store.ts';
import type { DomainView } from './domain.ts';
import { lockName, selectDomain } from './domain-store.ts';
import { domainEntry, getDomain, type DomainDeps } from './domains.ts';

const STARTED = 'domain.dkim_rotation_started';

/**
 * Starts a rotation. The answer's records show both keys. Throws not_found, or conflict while one is under way that
 * another request began, and `rate_limited` or `unavailable` when too many new keys wait.
 */
export async function startDkimRotation(
  deps: DomainDeps,
  by: Actor,
  tenantId: string,
  domainId: string,
): Promise<DomainView> {
  const { db, config } = deps;
  const [sealKey] = deriveKeys(config, 'secret-box');
  const domain = await selectDomain(db.pool, tenantId, domainId);
  if (!domain) throw notFound('domain');
  if (await isApplied(db.pool, tenantId, by, STARTED)) return getDomain(deps, tenantId, domainId);
  const made = await makeDkimKeys({ tenantId, ed25519: config.DKIM_ED25519, sealKey });
  await change(deps, by, async (client, record) => {
    await lockName(client, domain.name);
    const keys = (await selectKeys(client, [domain])).get(domainId) ?? [];
    if (keys.length === 0) throw notFound('domain');
    if (keys.some((key) => key.state === 'pending'))
      throw new AppError(
        'conflict',
        `${domain.name} already has a new DKIM key that waits for its DNS record.`,
      );
    await insertKeys(client, { tenantId, domainId }, 'pending', made);
    const details = { name: domain.name, selector: made[0]?.selector };
    await record(domainEntry(STARTED, tenantId, domainId, details));
  });
  return getDomain(deps, tenantId, domainId);
}

/** Gives a rotation up that has not switched yet. Does nothing when there is none. Throws not_found. */
export async function cancelDkimRotation(
  deps: Pick<DomainDeps, 'db' | 'config'>,
  by: Actor,
  tenantId: string,
  domainId: string,
): Promise<DomainView> {
  await change(deps, by, async (client, record) => {
    if (await deletePending(client, tenantId, domainId))
      await record(domainEntry('domain.dkim_rotation_cancelled', tenantId, domainId, {}));
  });
  return getDomain(deps, tenantId, domainId);
}
