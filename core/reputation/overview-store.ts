// What the overview of an account shows, each in one statement: days from the counted days, hours from the feed's index,
// what waits from the indexes of waiting mail.
// SQL by hand: aggregates over partitions and indexes chosen for them, in one statement.

import type { Queryable } from '../db/pool.ts';
import { BRAKED_UNTIL, heldSql } from '../message/message-columns.ts';

/** One UTC day of a tenant, or of one of its domains. */
export interface OverviewDay {
  /** YYYY-MM-DD */
  date: string;
  sent: number;
  delivered: number;
  bounced: number;
  complained: number;
  /** Messages that were deferred on this day because the cap was reached, also those deferred before. */
  deferred: number;
  opened: number;
  clicked: number;
  unsubscribed: number;
}

/** One UTC hour; opens and clicks of people only. */
export interface OverviewHour {
  hour: Date;
  delivered: number;
  bounced: number;
  complained: number;
  opened: number;
  clicked: number;
}

/** Mail that waits for one reason, and the next attempt of the first of it. */
export interface WaitingCount {
  reason: string;
  count: number;
  until: Date | null;
}

/** Hours of the picture by hour. */
export const OVERVIEW_HOURS = 48;

/** The last `days` UTC days, oldest first, today last. */
export async function readOverviewDays(
  db: Queryable,
  tenantId: string,
  query: { days: number; domain: string | null },
): Promise<OverviewDay[]> {
  const { rows } = await db.query<OverviewDay>({
    name: 'overview-days',
    text: `with today as (select (now() at time zone 'UTC')::date as day),
           mine as (select id from domains where tenant_id = $1 and ($3::text is null or name = lower($3))),
           counted as (
             select c.day, sum(c.sent)::int as sent, sum(c.delivered)::int as delivered,
               sum(c.bounced)::int as bounced, sum(c.complained)::int as complained, sum(c.opened)::int as opened,
               sum(c.clicked)::int as clicked, sum(c.unsubscribed)::int as unsubscribed, sum(c.deferred)::int as deferred
             from domain_days c join mine on mine.id = c.domain_id cross join today
             where c.tenant_id = $1 and c.day > today.day - $2::int group by c.day)
           select to_char(span.day, 'YYYY-MM-DD') as date, coalesce(c.sent, 0) as sent,
             coalesce(c.delivered, 0) as delivered, coalesce(c.bounced, 0) as bounced,
             coalesce(c.complained, 0) as complained, coalesce(c.deferred, 0) as deferred,
             coalesce(c.opened, 0) as opened, coalesce(c.clicked, 0) as clicked,
             coalesce(c.unsubscribed, 0) as unsubscribed
           from today cross join lateral
             (select generate_series(today.day - ($2::int - 1), today.day, interval '1 day')::date as day) as span
           left join counted c on c.day = span.day
           order by span.day`,
    values: [tenantId, query.days, query.domain],
  });
  return rows;
}

/** The last OVERVIEW_HOURS UTC hours, oldest first, this hour last. */
export async function readOverviewHours(
  db: Queryable,
  tenantId: string,
  domain: string | null,
): Promise<OverviewHour[]> {
  const { rows } = await db.query<OverviewHour>({
    name: 'overview-hours',
    text: `with span as (
             select generate_series(date_trunc('hour', now()) - make_interval(hours => $2::int - 1),
               date_trunc('hour', now()), interval '1 hour') as hour),
           counted as (
             select date_trunc('hour', e.occurred_at) as hour,
               count(*) filter (where e.type = 'delivered')::int as delivered,
               count(*) filter (where e.type = 'bounced')::int as bounced,
               count(*) filter (where e.type = 'complaint')::int as complained,
               count(*) filter (where e.type = 'open'
                 and coalesce((e.data->>'machine_open')::boolean, false) = false)::int as opened,
               count(*) filter (where e.type = 'click'
                 and coalesce((e.data->>'machine_click')::boolean, false) = false)::int as clicked
             from events e
             where e.tenant_id = $1 and e.type in ('delivered', 'bounced', 'complaint', 'open', 'click')
               and e.id >= uuid_floor(now() - make_interval(hours => $2::int) - interval '10 minutes')
               and e.occurred_at >= date_trunc('hour', now()) - make_interval(hours => $2::int - 1)
               and ($3::text is null or e.domain_id in (
                 select id from domains where tenant_id = $1 and name = lower($3)))
             group by 1)
           select span.hour, coalesce(c.delivered, 0) as delivered, coalesce(c.bounced, 0) as bounced,
             coalesce(c.complained, 0) as complained, coalesce(c.opened, 0) as opened,
             coalesce(c.clicked, 0) as clicked
           from span left join counted c on c.hour = span.hour order by span.hour`,
    values: [tenantId, OVERVIEW_HOURS, domain],
  });
  return rows;
}

const LATE_MS = 3_600_000; // by which a last attempt may come after the age limit

const untilSql = (due: string) =>
  `case when mine.held is null then coalesce(case when m.defer_reason = 'brake' then mine.braked_until end, ${due}) end`;

/** What waits now, by reason, most first. Of retries, those of messages older than `maxAgeMs` are not looked at. */
export async function readWaiting(
  db: Queryable,
  tenantId: string,
  domain: string | null,
  maxAgeMs: number,
): Promise<WaitingCount[]> {
  const { rows } = await db.query<WaitingCount>({
    name: 'overview-waiting',
    text: `with mine as (
             select d.id, ${heldSql('d')} as held, ${BRAKED_UNTIL} as braked_until from domains d
             where d.tenant_id = $1 and ($2::text is null or d.name = lower($2))),
           waiting as (
             select coalesce(mine.held, m.defer_reason) as reason, ${untilSql('m.deferred_until')} as until
             from mine join messages m on m.domain_id = mine.id and m.tenant_id = $1
             where m.state = 'deferred' and m.admitted_day is null
             union all
             select coalesce(mine.held, m.defer_reason), ${untilSql('m.next_attempt_at')}
             from messages m join mine on mine.id = m.domain_id
             where m.tenant_id = $1 and m.id >= uuid_floor(now() - make_interval(secs => $3::float8 / 1000))
               and m.state = 'deferred' and m.admitted_day is not null)
           select coalesce(reason, 'unknown') as reason, count(*)::int as count,
             min(until) filter (where until < '9999-01-01') as until
           from waiting group by 1 order by 2 desc, 1`,
    values: [tenantId, domain, maxAgeMs + LATE_MS],
  });
  return rows;
}
