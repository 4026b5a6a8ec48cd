// How the domains of a tenant stand, for the forecast beside a plan.
// SQL by hand: joined with the day's row by the database's clock.

import type pg from 'pg';

import type { ForecastDomain } from './forecast.ts';
import { capOfTier } from './tiers.ts';

/** A verified domain of the tenant with what a forecast needs. */
export interface ForecastRow extends ForecastDomain {
  domainId: string;
  name: string;
  /** The database's UTC date. */
  today: string;
}

/** The verified domains of a tenant (these, or all), by name. */
export async function readForecastDomains(
  pool: pg.Pool,
  tenantId: string,
  domainIds: readonly string[] | null = null,
): Promise<ForecastRow[]> {
  type Row = Omit<ForecastRow, 'cap'> & { cap: number | null };
  const { rows } = await pool.query<Row>({
    name: 'forecast-domains',
    text: `select d.id as "domainId", d.name, d.tier, d.warmup_state as state,
             to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today, w.cap, coalesce(w.used, 0) as used,
             (select count(*)::int from messages m where m.domain_id = d.id and m.tenant_id = d.tenant_id
                and m.state = 'deferred' and m.admitted_day is null and m.defer_reason <> 'scheduled') as waiting,
             (select jsonb_build_object('attempted', r.attempted, 'delivered', r.delivered, 'bounced', r.bounced,
                'deliveredOnDay', r.delivered_on_day, 'complained', r.complained)
              from warmup_rates r where r.domain_id = d.id and r.tenant_id = d.tenant_id
              order by r.day desc limit 1) as "lastDay"
           from domains d
           left join warmup_days w on w.domain_id = d.id and w.tenant_id = d.tenant_id
             and w.day = (now() at time zone 'UTC')::date
           where d.tenant_id = $1 and d.status = 'verified' and ($2::uuid[] is null or d.id = any($2)) order by d.name limit 500`,
    values: [tenantId, domainIds],
  });
  return rows.map((row) => ({ ...row, cap: row.cap ?? capOfTier(row.tier) }));
}
