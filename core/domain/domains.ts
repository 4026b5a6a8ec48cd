// Creating, reading, changing and deleting sending domains.
//
// For the warm-up a name stays what it was to its tenant: deleted and created again, it has the id, the counted day
// and the pause of before. Otherwise every new row would come with a new day's cap.

import type { Config } from '../base/config.ts';
import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps, type ChangeEntry } from '../audit/change.ts';
import { poolsOfTenant } from '../base/egress-pools.ts';
import { AppError, invalidField, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { deriveKeys } from '../base/secrets.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../db/sql-state.ts';
import { resumeUnheld } from '../warmup/room-store.ts';
import { lockOpenDays } from '../warmup/warmup-store.ts';
import { makeDkimKeys } from './dkim-key.ts';
import { insertKeys, selectKeys } from './dkim-store.ts';
import type { DomainChange } from './domain-input.ts';
import type { Domain, DomainView } from './domain.ts';
import {
  deleteDomainRow,
  insertDomain,
  isVerifiedElsewhere,
  lockName,
  releaseName,
  lowerTodaysCap,
  selectCreatedBy,
  selectDeleted,
  selectDomain,
  selectDomains,
  updateSettings,
  type DomainPage,
} from './domain-store.ts';
import { viewDomain, type RecordSettings } from './records.ts';
import { checkSendingName } from './sending-name.ts';

/** What the verbs need. */
export interface DomainDeps extends ChangeDeps {
  config: RecordSettings &
    Pick<Config, 'DKIM_ED25519' | 'EGRESS_POOLS' | 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>;
}

const FIRST_CAP = 50; // of tier 0, core/warmup/tiers.ts

/**
 * Creates a pending domain with its keys. Refuses a bad name, one held already, or one verified by another tenant.
 * A retry of the same request gives the domain that it made; a name may bring an older id, so that is known by its row
 * of the audit log. Throws `rate_limited` or `unavailable` when too many new keys wait.
 */
export async function createDomain(
  deps: DomainDeps,
  by: Actor,
  tenantId: string,
  givenName: string,
): Promise<DomainView> {
  const { db, config } = deps;
  const name = checkSendingName(givenName, config);
  const [sealKey] = deriveKeys(config, 'secret-box');
  const keys = await makeDkimKeys({ tenantId, ed25519: config.DKIM_ED25519, sealKey });
  try {
    const id = await change(deps, by, async (client, record) => {
      await lockName(client, name);
      if (await isVerifiedElsewhere(client, tenantId, name)) throw taken(name, 'verified by another account');
      const before = await selectDeleted(client, tenantId, name);
      const domainId = before?.id ?? newUuid();
      const { warmupState, pausedReason } = before ?? { warmupState: 'active', pausedReason: null };
      await insertDomain(client, { id: domainId, tenantId, name, warmupState, pausedReason });
      if (before) await lowerTodaysCap(client, tenantId, domainId, FIRST_CAP);
      await insertKeys(client, { tenantId, domainId }, 'active', keys);
      await record(domainEntry('domain.created', tenantId, domainId, { name }));
      return domainId;
    });
    return await getDomain(deps, tenantId, id);
  } catch (error) {
    if (isUniqueViolation(error)) {
      const made = by.changeId ? await selectCreatedBy(db.pool, tenantId, name, by.changeId) : null;
      if (made === null) throw taken(name, 'one of your domains already');
      return getDomain(deps, tenantId, made);
    }
    if (isForeignKeyViolation(error)) throw notFound('tenant');
    throw error;
  }
}

/** One domain. Throws not_found. */
export async function getDomain(
  deps: Pick<DomainDeps, 'db' | 'config'>,
  tenantId: string,
  domainId: string,
): Promise<DomainView> {
  const domain = await selectDomain(deps.db.pool, tenantId, domainId);
  if (!domain) throw notFound('domain');
  const [view] = await viewAll(deps, [domain]);
  return view as DomainView;
}

/** A page of a tenant's domains. */
export async function listDomains(
  deps: Pick<DomainDeps, 'db' | 'config'>,
  tenantId: string,
  page: DomainPage,
): Promise<DomainView[]> {
  return viewAll(deps, await selectDomains(deps.db.pool, tenantId, page));
}

const MAKE_ROOM = ['transactional_reserve', 'brake_enabled', 'sender_rules_enabled'] as const;

/** Changes what is named. Throws not_found, and validation_failed for a pool that the tenant may not use. */
export async function patchDomain(
  deps: Pick<DomainDeps, 'db' | 'config'>,
  by: Actor,
  tenantId: string,
  domainId: string,
  asked: DomainChange,
): Promise<DomainView> {
  const settings = {
    inboundEnabled: asked.inbound_enabled,
    spamPolicy: asked.spam_policy,
    cfblEnabled: asked.cfbl_enabled,
    transactionalReserve: asked.transactional_reserve,
    brakeEnabled: asked.brake_enabled,
    senderRulesEnabled: asked.sender_rules_enabled,
    pool: asked.pool,
  };
  if (typeof asked.pool === 'string') checkPool(deps.config.EGRESS_POOLS, tenantId, asked.pool);
  await change(deps, by, async (client, record) => {
    await lockOpenDays(client, [{ tenantId, domainId }]);
    if (!(await updateSettings(client, tenantId, domainId, settings))) throw notFound('domain');
    if (MAKE_ROOM.some((name) => asked[name] !== undefined))
      await resumeUnheld(client, { tenantId, domainId });
    await record(domainEntry('domain.changed', tenantId, domainId, settings));
  });
  return getDomain(deps, tenantId, domainId);
}

function checkPool(pools: Config['EGRESS_POOLS'], tenantId: string, name: string): void {
  const usable = poolsOfTenant(pools, tenantId).map((pool) => pool.name);
  if (usable.includes(name)) return;
  const which = usable.length === 0 ? 'there is none' : `there is ${usable.join(', ')}`;
  throw invalidField('pool', `must be the name of a pool that you may use (${which}), or null`);
}

/** Deletes a domain: sending from it and receiving for it stop. Throws not_found. */
export async function deleteDomain(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  domainId: string,
): Promise<void> {
  const domain = await selectDomain(deps.db.pool, tenantId, domainId);
  if (!domain) throw notFound('domain');
  await change(deps, by, async (client, record) => {
    await lockName(client, domain.name); // whoever creates it again meanwhile must see our row of the audit log
    const gone = await deleteDomainRow(client, tenantId, domainId);
    if (!gone) throw notFound('domain');
    await releaseName(client, tenantId, gone.name);
    const { name, tier, warmupState, pausedReason } = gone;
    const before = { id: domainId, name, tier, warmup_state: warmupState, paused_reason: pausedReason };
    await record(domainEntry('domain.deleted', tenantId, domainId, before));
  });
}

/** The row of the audit log for a change of a domain. */
export function domainEntry(
  action: `domain.${string}`,
  tenantId: string,
  domainId: string,
  details: Record<string, unknown>,
): ChangeEntry {
  return { action, tenantId, subject: toId('dom', domainId), details };
}

async function viewAll(deps: Pick<DomainDeps, 'db' | 'config'>, domains: Domain[]): Promise<DomainView[]> {
  if (domains.length === 0) return [];
  const keys = await selectKeys(deps.db.pool, domains);
  return domains.map((domain) => viewDomain(domain, keys.get(domain.id) ?? [], deps.config));
}

function taken(name: string, how: string): AppError {
  return new AppError('conflict', `${name} is ${how}.`);
}
