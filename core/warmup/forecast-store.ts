// How the domains of a tenant stand, for the forecast beside a plan.
// SQL by hand: joined with the day's row by the database's clock.

import type pg from 'pg';

import type { Stream } from '../base/stream.ts';
import type { Queryable } from '../db/pool.ts';
import { BRAKE_STATE } from '../message/brake-state.ts';
import { HELD_UNTIL } from '../message/message-columns.ts';
import { BULK_LIMIT } from '../message/sender-rules.ts';
import type { DeferReason } from '../message/states.ts';
import type { ForecastDomain } from './forecast.ts';
import { capOfTier } from './tiers.ts';

/** SQL: whether deferred message `m` waits only for room under the cap. It is neither scheduled nor held. */
export const WAITS_FOR_ROOM = `(m.defer_reason <> 'scheduled' and m.deferred_until < '${HELD_UNTIL}')`;

/** A verified domain of the tenant with what a forecast needs. */
export interface ForecastRow extends ForecastDomain {
  domainId: string;
  name: string;
  /** The database's clock, and its UTC date. */
  now: Date;
  today: string;
}

/** The verified domains of a tenant, by name: all, or those with these ids or names. */
export async function readForecastDomains(
  pool: pg.Pool,
  tenantId: string,
  wanted: { ids: readonly string[] } | { names: readonly string[] } | null = null,
): Promise<ForecastRow[]> {
  type Row = Omit<ForecastRow, 'cap'> & { cap: number | null };
  const { rows } = await pool.query<Row>({
    name: 'forecast-domains',
    text: `select d.id as "domainId", d.name, d.tier, d.warmup_state as state, now() as now,
             to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today, w.cap, coalesce(w.used, 0) as used,
             coalesce(w.bulk_used, 0) as "bulkUsed", d.transactional_reserve as "transactionalReserve",
             ${BULK_LIMIT} as "bulkLimit", ${BRAKE_STATE} as brake,
             (select jsonb_build_object('transactional', count(*) filter (where m.stream = 'transactional'),
                'bulk', count(*) filter (where m.stream = 'bulk'))
              from messages m where m.domain_id = d.id and m.tenant_id = d.tenant_id
                and m.state = 'deferred' and m.admitted_day is null and ${WAITS_FOR_ROOM}) as waiting,
             (select jsonb_build_object('attempted', r.attempted, 'delivered', r.delivered, 'bounced', r.bounced,
                'deliveredOnDay', r.delivered_on_day, 'complained', r.complained)
              from warmup_rates r where r.domain_id = d.id and r.tenant_id = d.tenant_id
              order by r.day desc limit 1) as "lastDay"
           from domains d
           left join warmup_days w on w.domain_id = d.id and w.tenant_id = d.tenant_id
             and w.day = (now() at time zone 'UTC')::date
           where d.tenant_id = $1 and d.status = 'verified' and ($2::uuid[] is null or d.id = any($2))
             and ($3::text[] is null or d.name = any($3)) order by d.name limit 500`,
    values: [
      tenantId,
      wanted && 'ids' in wanted ? wanted.ids : null,
      wanted && 'names' in wanted ? wanted.names : null,
    ],
  });
  return rows.map((row) => ({ ...row, cap: row.cap ?? capOfTier(row.tier) }));
}

/** The position of a deferred message in its queue. */
export interface Place {
  domainId: string;
  stream: Stream;
  reason: DeferReason;
  isAdmitted: boolean;
  /** Messages of its domain and stream that came before it and wait as it does. */
  ahead: number;
}

const MOST_AHEAD = 1_000_000; // that are counted: half a second, and more than a domain may send in ten days

/** The place of a message; null when it is not deferred. Of admitted mail only what the brake holds is counted. */
export async function readPlace(db: Queryable, tenantId: string, id: string): Promise<Place | null> {
  const { rows } = await db.query<Place>({
    name: 'message-place',
    text: `select t.domain_id as "domainId", t.stream, t.defer_reason as reason, t.admitted_day is not null as "isAdmitted",
             (select count(*)::int from (
                select from messages m
                where m.domain_id = t.domain_id and m.tenant_id = t.tenant_id and m.state = 'deferred' and m.id < t.id
                  and m.stream = t.stream and t.admitted_day is null and m.admitted_day is null and ${WAITS_FOR_ROOM}
                union all
                select from messages m
                where m.domain_id = t.domain_id and m.tenant_id = t.tenant_id and m.state = 'deferred' and m.id < t.id
                  and m.stream = t.stream and t.defer_reason = 'brake' and m.defer_reason = 'brake'
                  and m.admitted_day = (now() at time zone 'UTC')::date and m.claimed_by is null
                limit ${MOST_AHEAD}) as earlier) as ahead
           from messages t where t.tenant_id = $1 and t.id = $2 and t.state = 'deferred'`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}
