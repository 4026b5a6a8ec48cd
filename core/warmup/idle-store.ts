// Domains that have gone cold: 14 days without a send put a domain back to tier 0.
// SQL by hand: domains are locked and skipped, and each change is one statement for all.

import type pg from 'pg';

import { service } from '../audit/actor.ts';
import { insertAudits, type AuditEntry } from '../audit/audit-store.ts';
import { newUuid, toId } from '../base/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { isHeld } from './tier-store.ts';
import { capOfTier } from './tiers.ts';

/** Days without a send after which a domain starts again (interface: warm-up tier reset). */
const IDLE_DAYS = 14;
const ACTOR = 'tier-reset';
const REASON = `no send for ${IDLE_DAYS} days: receivers have forgotten the domain`;

/** A domain that was reset. */
export interface ResetDomain {
  tenantId: string;
  domainId: string;
}

interface IdleDomain extends ResetDomain {
  name: string;
  tier: number;
}

/**
 * Resets one batch of idle domains at the clock `now`: tier, caps, history and audit rows, in one transaction. Held tiers stay, those of
 * paused domains too.
 * A manual change of the tier and the verification count like a send: the operator had a reason.
 * Returns what was reset; fewer than `limit` means that nothing is left.
 */
export async function resetIdleDomains(pool: pg.Pool, now: Date, limit: number): Promise<ResetDomain[]> {
  return inTransaction(pool, async (client) => {
    const idle = await lockIdle(client, now, limit);
    if (idle.length === 0) return [];
    await writeReset(client, now, idle);
    await insertAudits(client, service(ACTOR), idle.map(audited));
    return idle;
  });
}

// The last day with a send is in warmup_days. Only for a domain whose last send fell on the very day that is now 14
// days ago do the hours matter: its messages of that day say.
async function lockIdle(client: pg.ClientBase, now: Date, limit: number): Promise<IdleDomain[]> {
  const { rows } = await client.query<IdleDomain>({
    name: 'idle-lock',
    text: `with edge as (
             select $1::timestamptz - make_interval(days => $2) as at,
               (($1::timestamptz at time zone 'UTC')::date - $2) as day)
           select d.id as "domainId", d.tenant_id as "tenantId", d.name, d.tier from domains d, edge
           where d.tier > 0 and d.warmup_state <> 'held' and not ${isHeld('d.id', 'd.tenant_id')}
             and coalesce(d.verified_at, d.created_at) <= edge.at
             and not exists (select from warmup_days w
               where w.domain_id = d.id and w.tenant_id = d.tenant_id and w.day > edge.day and w.used > 0)
             and not exists (select from messages m
               where m.tenant_id = d.tenant_id and m.domain_id = d.id and m.admitted_day is not null
                 and m.id >= uuid_floor(edge.at)
                 and m.id < uuid_floor((edge.day + 1)::timestamp at time zone 'UTC'))
             and not exists (select from warmup_history h
               where h.domain_id = d.id and h.tenant_id = d.tenant_id and h.at > edge.at
                 and h.actor not in ('auto-ramp', 'tier-reset'))
           order by d.id limit $3 for update of d skip locked`,
    values: [now, IDLE_DAYS, limit],
  });
  return rows;
}

function audited({ tenantId, domainId, name, tier }: IdleDomain): AuditEntry {
  const details = { domain: name, from_tier: tier, to_tier: 0, reason: REASON };
  return { tenantId, action: 'warmup.reset', subject: toId('dom', domainId), details };
}

async function writeReset(client: pg.ClientBase, now: Date, idle: IdleDomain[]): Promise<void> {
  const ids = [idle.map((one) => one.tenantId), idle.map((one) => one.domainId)];
  await Promise.all([
    client.query({
      name: 'idle-reset-domains',
      text: `update domains d set tier = 0 from unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
             where d.id = q.domain_id and d.tenant_id = q.tenant_id`,
      values: ids,
    }),
    client.query({
      name: 'idle-reset-caps',
      text: `update warmup_days w set cap = $3 from unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
             where w.domain_id = q.domain_id and w.tenant_id = q.tenant_id
               and (w.day >= ($4::timestamptz at time zone 'UTC')::date
                 or w.day = (now() at time zone 'UTC')::date)`,
      values: [...ids, capOfTier(0), now],
    }),
    client.query({
      name: 'idle-reset-history',
      text: `insert into warmup_history (id, tenant_id, domain_id, actor, action, from_tier, to_tier, reason)
             select q.id, q.tenant_id, q.domain_id, 'tier-reset', 'reset', q.tier, 0, $5
             from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) as q(tenant_id, domain_id, id, tier)`,
      values: [...ids, idle.map(() => newUuid()), idle.map((one) => one.tier), REASON],
    }),
  ]);
}
