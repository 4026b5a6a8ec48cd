// The warm-up of a domain day by day, as a picture shows it.
// SQL by hand: aggregates over partitions and indexes chosen for them, in one statement.

import type pg from 'pg';

import { capOfTier, TIER_CAPS } from './tiers.ts';

/** One UTC day of a domain. */
export interface WarmupDay {
  /** YYYY-MM-DD */
  date: string;
  tier: number;
  cap: number;
  /** Admissions used. */
  used: number;
  delivered: number;
  bounced: number;
  /** Messages that were deferred on this day because the cap was reached, also those deferred before. */
  deferred: number;
}

/**
 * The last `days` UTC days of a domain of this tenant, oldest first, today last. Before its verification there was no cap: such
 * days are left out.
 */
export async function readWarmupDays(
  pool: pg.Pool,
  tenantId: string,
  domainId: string,
  days: number,
): Promise<WarmupDay[]> {
  const { rows } = await pool.query<Omit<WarmupDay, 'cap'> & { cap: number | null }>({
    name: 'warmup-days-shown',
    text: `with today as (select (now() at time zone 'UTC')::date as day),
           span as (
             select generate_series(today.day - ($3::int - 1), today.day, interval '1 day')::date as day from today)
           select to_char(span.day, 'YYYY-MM-DD') as date,
             coalesce(
               (select h.to_tier from warmup_history h
                where h.domain_id = d.id and h.tenant_id = d.tenant_id
                  and h.at < (span.day + 1)::timestamp at time zone 'UTC'
                order by h.id desc limit 1),
               (select h.from_tier from warmup_history h
                where h.domain_id = d.id and h.tenant_id = d.tenant_id order by h.id limit 1),
               d.tier)::int as tier,
             w.cap, coalesce(w.used, 0) as used,
             coalesce(c.delivered, 0) as delivered, coalesce(c.bounced, 0) as bounced,
             coalesce(c.deferred, 0) as deferred
           from domains d cross join span
           left join warmup_days w on w.domain_id = d.id and w.tenant_id = d.tenant_id and w.day = span.day
           left join lateral (
             select sum(delivered)::int as delivered, sum(bounced)::int as bounced, sum(deferred)::int as deferred
             from domain_days
             where domain_id = d.id and tenant_id = d.tenant_id and day = span.day) as c on true
           where d.id = $1 and d.tenant_id = $2 and (w.day is not null
             or span.day >= (coalesce(d.verified_at, d.created_at) at time zone 'UTC')::date)
           order by span.day`,
    values: [domainId, tenantId, days],
  });
  return rows.map((row) => ({ ...row, cap: row.cap ?? capOfTier(Math.min(row.tier, TIER_CAPS.length - 1)) }));
}
