// The statements of the daily ramp: the counts of a day of all domains, then the decisions in batches.
//
// Locks are taken in the order of the accepting transaction (sender/accept/batch.ts): rows of days first, domains
// second, each by domain id. So a batch waits for mail in flight, and mail waits for a batch, but never both.
// SQL by hand: many rows to a statement (unnest), under locks in that order.

import type pg from 'pg';

import type { DayCounts, RampState } from './decide-ramp.ts';

/** A domain's counts of one day. */
export interface DomainCounts extends DayCounts {
  tenantId: string;
  domainId: string;
}

/** A verified domain, locked, that was not decided about for the day yet. */
export interface RampDomain extends RampState {
  tenantId: string;
  domainId: string;
  name: string;
}

/** Counts of a UTC day for every domain that attempted any on it, in the order of their ids. */
export async function readDayCounts(pool: pg.Pool, day: string): Promise<DomainCounts[]> {
  const { rows } = await pool.query<DomainCounts>({
    name: 'ramp-day-counts',
    text: `select tenant_id as "tenantId", domain_id as "domainId", sum(attempted)::int as attempted,
             sum(delivered)::int as delivered, sum(bounced)::int as bounced, sum(accepted)::int as "deliveredOnDay",
             sum(complained)::int as complained
           from attempt_days where day = $1 group by 1, 2 having sum(attempted) > 0 order by domain_id`,
    values: [day],
  });
  return rows;
}

/** Locks today's and later rows and then the verified domains that are not decided for the day, in id order. */
export async function lockRampDomains(
  client: pg.ClientBase,
  wanted: { tenantId: string; domainId: string }[],
  day: string,
): Promise<RampDomain[]> {
  const ids = [wanted.map((one) => one.tenantId), wanted.map((one) => one.domainId)];
  const days = client.query({
    name: 'ramp-lock-days',
    text: `select from warmup_days w
           join unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
             on w.domain_id = q.domain_id and w.tenant_id = q.tenant_id
           where w.day >= $3::date
           order by w.domain_id, w.day for update of w`,
    values: [...ids, day],
  });
  const domains = client.query<RampDomain>({
    name: 'ramp-lock-domains',
    text: `select d.tenant_id as "tenantId", d.id as "domainId", d.name, d.tier, d.warmup_state as state
           from domains d
           join unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
             on d.id = q.domain_id and d.tenant_id = q.tenant_id
           where d.status = 'verified'
           order by d.id for update of d`,
    values: ids,
  });
  const [, { rows }] = await Promise.all([days, domains]);
  // After the locks, in a statement of its own: what a run that held them before us wrote is seen.
  const { rows: decided } = await client.query<{ domainId: string }>({
    name: 'ramp-decided',
    text: `select domain_id as "domainId" from warmup_rates where day = $1 and domain_id = any($2::uuid[])`,
    values: [day, ids[1]],
  });
  const done = new Set(decided.map((row) => row.domainId));
  return rows.filter((row) => !done.has(row.domainId));
}

/** One domain's decision as it is written. */
export interface RampWrite extends DomainCounts {
  historyId: string;
  action: string;
  fromTier: number;
  toTier: number;
  cap: number;
  /** Null leaves the state as it is. */
  pausedReason: string | null;
  reason: string;
  rates: Record<string, number>;
}

/**
 * Writes decisions: what was seen, the tier and state, the caps of days from `capsFrom` on (and of the database's
 * today), and the history. The caller holds the locks.
 */
export async function writeRamp(
  client: pg.ClientBase,
  day: string,
  capsFrom: string,
  writes: RampWrite[],
): Promise<void> {
  const column = <K extends keyof RampWrite>(key: K) => writes.map((write) => write[key]);
  const ids = [column('tenantId'), column('domainId')];
  await Promise.all([
    client.query({
      name: 'ramp-write-rates',
      text: `insert into warmup_rates (tenant_id, domain_id, day, attempted, delivered, bounced, delivered_on_day,
               complained, decision)
             select q.tenant_id, q.domain_id, $9::date, q.a, q.d, q.b, q.dd, q.c, q.decision
             from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::text[])
               as q(tenant_id, domain_id, a, d, b, dd, c, decision)`,
      values: [
        ...ids,
        column('attempted'),
        column('delivered'),
        column('bounced'),
        column('deliveredOnDay'),
        column('complained'),
        column('action'),
        day,
      ],
    }),
    client.query({
      name: 'ramp-write-domains',
      text: `update domains d
             set tier = q.tier, paused_reason = coalesce(q.paused, d.paused_reason),
                 warmup_state = case when q.paused is null then d.warmup_state else 'paused' end
             from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[]) as q(tenant_id, domain_id, tier, paused)
             where d.id = q.domain_id and d.tenant_id = q.tenant_id
               and (d.tier <> q.tier or q.paused is not null)`,
      values: [...ids, column('toTier'), column('pausedReason')],
    }),
    client.query({
      name: 'ramp-write-caps',
      text: `update warmup_days w set cap = q.cap
             from unnest($1::uuid[], $2::uuid[], $3::int[]) as q(tenant_id, domain_id, cap)
             where w.domain_id = q.domain_id and w.tenant_id = q.tenant_id
               and (w.day >= $4::date or w.day = (now() at time zone 'UTC')::date) and w.cap <> q.cap`,
      values: [...ids, column('cap'), capsFrom],
    }),
    client.query({
      name: 'ramp-write-history',
      text: `insert into warmup_history (id, tenant_id, domain_id, actor, action, from_tier, to_tier, reason, rates)
             select q.id, q.tenant_id, q.domain_id, 'auto-ramp', q.action, q.from_tier, q.to_tier, q.reason, q.rates
             from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::int[], $7::text[], $8::jsonb[])
               as q(tenant_id, domain_id, id, action, from_tier, to_tier, reason, rates)`,
      values: [
        ...ids,
        column('historyId'),
        column('action'),
        column('fromTier'),
        column('toTier'),
        column('reason'),
        column('rates').map((rates) => JSON.stringify(rates)),
      ],
    }),
  ]);
}
