// Reading and changing the tier of a domain. Every change is one transaction: the domain, today's cap and a row of
// history that says who and why. The gate reads the cap from the same row, so no change can be half seen.

import type pg from 'pg';

import { AppError, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { resumeAdmitted, resumeUnadmitted } from '../message/release-store.ts';
import { addNotices } from '../operations/notice-store.ts';
import { insertAudit } from '../tenant/tenant-store.ts';
import { capOfTier, TOP_TIER } from './tiers.ts';

/** The warm-up of one domain today. */
export interface Warmup {
  tenantId: string;
  domainId: string;
  domain: string;
  /** UTC date of `used`, YYYY-MM-DD. */
  day: string;
  tier: number;
  cap: number;
  used: number;
  state: 'active' | 'held' | 'paused';
  pausedReason: string | null;
  /** Deferred messages that are not admitted yet. */
  waiting: number;
}

/** A domain by its UUID or its name. */
export type DomainRef = { id: string } | { name: string };

/** What an operator may do to a tier. `hold` freezes it until `release`; `set` names it. */
export type TierChange =
  | { action: 'advance' | 'hold' | 'release' | 'demote' }
  | { action: 'set'; tier: number };

/** Who changes something, and why. */
export interface Actor {
  actor: string;
  reason: string;
}

/** The warm-up of a domain of this tenant. Throws not_found. */
export async function readWarmup(
  pool: pg.Pool | pg.ClientBase,
  tenantId: string,
  ref: DomainRef,
): Promise<Warmup> {
  const { rows } = await pool.query<Omit<Warmup, 'cap'> & { cap: number | null }>({
    name: 'warmup-read',
    text: `select d.tenant_id as "tenantId", d.id as "domainId", d.name as domain,
             to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day, d.tier, w.cap, coalesce(w.used, 0) as used,
             d.warmup_state as state, d.paused_reason as "pausedReason",
             (select count(*)::int from messages m where m.domain_id = d.id and m.tenant_id = d.tenant_id
                and m.state = 'deferred' and m.admitted_day is null) as waiting
           from domains d
           left join warmup_days w on w.domain_id = d.id and w.day = (now() at time zone 'UTC')::date
           where d.tenant_id = $1 and (d.id = $2 or d.name = $3)`,
    values: [tenantId, 'id' in ref ? ref.id : null, 'name' in ref ? ref.name.toLowerCase() : null],
  });
  const row = rows[0];
  if (!row) throw notFound('domain');
  return { ...row, cap: row.cap ?? capOfTier(row.tier) };
}

/** Changes the tier or freezes it. A change beyond tier 0 or 10 is a conflict. Answers the warm-up afterwards. */
export async function overrideTier(
  pool: pg.Pool,
  tenantId: string,
  ref: DomainRef,
  change: TierChange,
  by: Actor,
): Promise<Warmup> {
  return inTransaction(pool, async (client) => {
    const domain = await lockDomain(client, tenantId, ref);
    const next = afterChange(domain, change);
    await client.query('update domains set tier = $1, warmup_state = $2 where id = $3 and tenant_id = $4', [
      next.tier,
      next.state,
      domain.id,
      tenantId,
    ]);
    await setTodaysCap(client, tenantId, domain.id, next.tier);
    await addHistory(client, tenantId, domain, change.action, next.tier, by);
    if (next.tier < domain.tier) await tellDemoted(client, tenantId, domain, next.tier, by);
    return readWarmup(client, tenantId, { id: domain.id });
  });
}

/** Lifts a pause at the tier that the domain has; what waited goes to the gate at once. */
export async function resumeDomain(
  pool: pg.Pool,
  tenantId: string,
  ref: DomainRef,
  by: Actor,
): Promise<Warmup> {
  return inTransaction(pool, async (client) => {
    const domain = await lockDomain(client, tenantId, ref);
    if (domain.state !== 'paused') throw new AppError('conflict', `${domain.name} is not paused.`);
    await client.query(
      'update domains set warmup_state = $3, paused_reason = null where id = $1 and tenant_id = $2',
      [domain.id, tenantId, (await wasHeld(client, tenantId, domain.id)) ? 'held' : 'active'],
    );
    const mail = { tenantId, domainId: domain.id };
    await resumeUnadmitted(client, mail);
    await resumeAdmitted(client, mail);
    await addHistory(client, tenantId, domain, 'resume', domain.tier, by);
    return readWarmup(client, tenantId, { id: domain.id });
  });
}

interface LockedDomain {
  id: string;
  name: string;
  tier: number;
  state: 'active' | 'held' | 'paused';
}

// Days before domains, as the accepting transaction locks them: the other way round the two could wait for each other.
async function lockDomain(client: pg.ClientBase, tenantId: string, ref: DomainRef): Promise<LockedDomain> {
  const named = [tenantId, 'id' in ref ? ref.id : null, 'name' in ref ? ref.name.toLowerCase() : null];
  await client.query(
    `select from warmup_days w join domains d on d.id = w.domain_id and d.tenant_id = w.tenant_id
     where d.tenant_id = $1 and (d.id = $2 or d.name = $3) and w.day >= (now() at time zone 'UTC')::date
     order by w.day for update of w`,
    named,
  );
  const { rows } = await client.query<LockedDomain>(
    `select id, name, tier, warmup_state as state from domains
     where tenant_id = $1 and (id = $2 or name = $3) for update`,
    named,
  );
  if (!rows[0]) throw notFound('domain');
  return rows[0];
}

// A domain that was held when it was paused is held again afterwards: only a release ends a hold.
async function wasHeld(client: pg.ClientBase, tenantId: string, domainId: string): Promise<boolean> {
  const { rows } = await client.query<{ action: string }>(
    `select action from warmup_history
     where domain_id = $1 and tenant_id = $2 and actor <> 'auto-ramp' and action in ('hold', 'release')
     order by id desc limit 1`,
    [domainId, tenantId],
  );
  return rows[0]?.action === 'hold';
}

function afterChange(
  domain: LockedDomain,
  change: TierChange,
): { tier: number; state: LockedDomain['state'] } {
  const { tier, state } = domain;
  const paused = state === 'paused';
  switch (change.action) {
    case 'advance':
      return { tier: checkTier(tier + 1), state };
    case 'demote':
      return { tier: checkTier(tier - 1), state };
    case 'set':
      return { tier: checkTier(change.tier), state };
    case 'hold':
      if (paused) throw new AppError('conflict', `${domain.name} is paused; resume it first.`);
      return { tier, state: 'held' };
    case 'release':
      if (state !== 'held') throw new AppError('conflict', `${domain.name} is not held.`);
      return { tier, state: 'active' };
    default:
      return change satisfies never;
  }
}

function checkTier(tier: number): number {
  if (Number.isInteger(tier) && tier >= 0 && tier <= TOP_TIER) return tier;
  throw new AppError('conflict', `There is no tier ${tier}: tiers go from 0 to ${TOP_TIER}.`);
}

// The row of today may be in use: its lock makes the change wait for batches in flight, and them for it. A cap that
// falls below what was used already stops the day; nothing is taken back.
async function setTodaysCap(
  client: pg.ClientBase,
  tenantId: string,
  domainId: string,
  tier: number,
): Promise<void> {
  await client.query(
    `update warmup_days set cap = $3
     where domain_id = $1 and tenant_id = $2 and day >= (now() at time zone 'UTC')::date`,
    [domainId, tenantId, capOfTier(tier)],
  );
}

async function addHistory(
  client: pg.ClientBase,
  tenantId: string,
  domain: LockedDomain,
  action: string,
  toTier: number,
  by: Actor,
): Promise<void> {
  await client.query(
    `insert into warmup_history (id, tenant_id, domain_id, actor, action, from_tier, to_tier, reason)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [newUuid(), tenantId, domain.id, by.actor, action, domain.tier, toTier, by.reason],
  );
  await insertAudit(client, {
    id: newUuid(),
    tenantId,
    actor: by.actor,
    action: `warmup.${action}`,
    subject: toId('dom', domain.id),
    data: { domain: domain.name, from_tier: domain.tier, to_tier: toTier, reason: by.reason },
  });
}

async function tellDemoted(
  client: pg.ClientBase,
  tenantId: string,
  domain: LockedDomain,
  toTier: number,
  by: Actor,
): Promise<void> {
  const who = `${domain.name} (${toId('dom', domain.id)}, ${toId('tnt', tenantId)})`;
  const text = `Warm-up: ${who} was demoted from tier ${domain.tier} to ${toTier} by ${by.actor}.`;
  await addNotices(client, [{ event: `override:${newUuid()}`, text }]);
}
