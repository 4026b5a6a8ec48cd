// The tier of a domain as rows: the domain, the cap of its days, and a history that says who changed it and why.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { notFound } from '../base/errors.ts';
import { newUuid } from '../base/ids.ts';
import { resumeHeld, useRoom } from './room-store.ts';
import { capOfTier } from './tiers.ts';

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

/** A domain whose tier somebody is changing. */
export interface LockedDomain {
  id: string;
  name: string;
  tier: number;
  state: 'active' | 'held' | 'paused';
}

/**
 * Locks a domain and its open days; null when it is not there. Days before domains, as the accepting transaction locks
 * them: the other way round the two could wait for each other.
 */
export async function lockDomain(
  client: pg.ClientBase,
  tenantId: string,
  ref: DomainRef,
): Promise<LockedDomain | null> {
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
  return rows[0] ?? null;
}

/** SQL: whether an operator holds the domain, also while it is paused: only a release ends a hold. */
export function isHeld(domainId: string, tenantId: string): string {
  return `coalesce((select h.action = 'hold' from warmup_history h
    where h.domain_id = ${domainId} and h.tenant_id = ${tenantId}
      and h.actor <> 'auto-ramp' and h.action in ('hold', 'release')
    order by h.id desc limit 1), false)`;
}

/** Whether an operator holds a domain, also while it is paused. */
export async function wasHeld(client: pg.ClientBase, tenantId: string, domainId: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(`select ${isHeld('$1', '$2')} as held`, [
    domainId,
    tenantId,
  ]);
  return rows[0]!.held;
}

/**
 * Writes a tier and state, and the cap of today and later; waiting mail uses the room of a higher one. The row of today may be in use: its lock makes the change wait
 * for batches in flight, and them for it. A cap that falls below what was used already stops the day; admissions are
 * not revoked.
 */
export async function writeTier(
  client: pg.ClientBase,
  tenantId: string,
  domainId: string,
  next: Pick<LockedDomain, 'tier' | 'state'>,
): Promise<void> {
  await client.query('update domains set tier = $1, warmup_state = $2 where id = $3 and tenant_id = $4', [
    next.tier,
    next.state,
    domainId,
    tenantId,
  ]);
  await client.query(
    `update warmup_days set cap = $3
     where domain_id = $1 and tenant_id = $2 and day >= (now() at time zone 'UTC')::date`,
    [domainId, tenantId, capOfTier(next.tier)],
  );
  await useRoom(client, [{ tenantId, domainId }]);
}

/** Ends a pause; mail that waited for that is due at once. */
export async function endPause(
  client: pg.ClientBase,
  tenantId: string,
  domainId: string,
  state: 'active' | 'held',
): Promise<void> {
  await client.query(
    'update domains set warmup_state = $3, paused_reason = null where id = $1 and tenant_id = $2',
    [domainId, tenantId, state],
  );
  await resumeHeld(client, { tenantId, domainId }, 'domain_paused');
}

/** One line of a domain's history. */
export async function insertHistory(
  client: pg.ClientBase,
  tenantId: string,
  domain: Pick<LockedDomain, 'id' | 'tier'>,
  entry: { actor: string; action: string; toTier: number; reason: string },
): Promise<void> {
  await client.query(
    `insert into warmup_history (id, tenant_id, domain_id, actor, action, from_tier, to_tier, reason)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [newUuid(), tenantId, domain.id, entry.actor, entry.action, domain.tier, entry.toTier, entry.reason],
  );
}
