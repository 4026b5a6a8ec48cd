// The statements that read analytics: a few rows of a day, whatever was sent.
// SQL by hand: sums over ranges of one index, with the days that have no mail.

import type { Queryable } from '../db/pool.ts';
import { COUNTS, type Counts, type Kind } from './analytics.ts';

/** Which rows: a kind, one of its values or all, one domain by its name or all. */
export interface Scope {
  kind: Kind;
  value: string | null;
  domain: string | null;
}

/** A range of UTC days, both included. */
export interface Span {
  from: string;
  to: string;
}

/** One UTC day. */
export type DayCounts = { date: string } & Counts;

/** The counts of one domain, tag, campaign or provider over the range; `value` as it is filtered by. */
export type GroupCounts = { value: string; label: string | null } & Counts;

/** What happened that may explain a change. */
export interface Annotation {
  at: Date;
  kind: 'tier' | 'paused' | 'resumed' | 'brake' | 'brake_released' | 'campaign';
  /** Name of the domain or the campaign that it is about. */
  subject: string;
  /** Of a tier: before and after. */
  fromTier: number | null;
  toTier: number | null;
}

/** Groups of one answer, those with the most mail. */
export const MAX_GROUPS = 50;

/** Annotations of one answer, the newest. */
export const MAX_ANNOTATIONS = 100;

const SUMS = COUNTS.map((name) => `coalesce(sum(a.${name}), 0)::int as ${name}`).join(', ');
const IN_SCOPE = `a.tenant_id = $1 and a.kind = $2 and a.day between $3 and $4 and ($5::text is null or a.value = $5)
  and ($6::text is null or a.domain_id in (select id from domains where tenant_id = $1 and name = lower($6)))`;

/** The UTC day of the database's clock, and the one so many days before it. */
export async function selectLastDays(db: Queryable, days: number): Promise<Span> {
  const { rows } = await db.query<Span>({
    name: 'analytics-today',
    text: `select to_char(t.day - ($1::int - 1), 'YYYY-MM-DD') as "from", to_char(t.day, 'YYYY-MM-DD') as "to"
           from (select (now() at time zone 'UTC')::date as day) t`,
    values: [days],
  });
  return rows[0]!;
}

/** Every day of a range, oldest first, also those without mail. */
export async function selectDays(
  db: Queryable,
  tenantId: string,
  { kind, value, domain }: Scope,
  { from, to }: Span,
): Promise<DayCounts[]> {
  const { rows } = await db.query<DayCounts>({
    name: 'analytics-days',
    text: `select to_char(span.day, 'YYYY-MM-DD') as date, ${SUMS}
           from generate_series($3::date::timestamp, $4::date::timestamp, interval '1 day') as span(day)
           left join analytics_days a on a.day = span.day::date and ${IN_SCOPE}
           group by span.day order by span.day`,
    values: [tenantId, kind, from, to, value, domain],
  });
  return rows;
}

const LABELS = {
  all: {
    by: 'a.domain_id::text',
    value: 'd.name',
    label: 'd.name',
    join: 'left join domains d on d.tenant_id = $1 and d.id = g.by::uuid',
  },
  tag: { by: 'a.value', value: 'g.by', label: 'g.by', join: '' },
  provider: { by: 'a.value', value: 'g.by', label: 'g.by', join: '' },
  campaign: {
    by: 'a.value',
    value: 'g.by',
    label: 'c.name',
    join: `left join campaigns c on c.tenant_id = $1 and c.id::text = g.by`,
  },
} as const;

/** The groups of a range with the most mail, at most MAX_GROUPS. `value` and `label` are null of what was deleted. */
export async function selectGroups(
  db: Queryable,
  tenantId: string,
  { scope: { kind, value, domain }, by }: { scope: Scope; by: Kind },
  { from, to }: Span,
): Promise<GroupCounts[]> {
  const words = LABELS[by];
  const { rows } = await db.query<GroupCounts>({
    name: `analytics-groups-${by}`,
    text: `select coalesce(${words.value}, g.by) as value, ${words.label} as label, g.*
           from (select ${words.by} as by, ${SUMS} from analytics_days a where ${IN_SCOPE}
                 group by 1 order by accepted desc, 1 limit $7) g ${words.join}
           order by g.accepted desc, 1`,
    values: [tenantId, kind, from, to, value, domain, MAX_GROUPS],
  });
  return rows;
}

const KIND_OF = `case
    when h.action in ('brake_bulk', 'brake_all') then 'brake' when h.action = 'brake_release' then 'brake_released'
    when h.action = 'pause' then 'paused' when h.action = 'resume' then 'resumed' else 'tier' end`;

/** What happened to the domains in the range and which campaigns began, oldest first; at most MAX_ANNOTATIONS. */
export async function selectAnnotations(
  db: Queryable,
  tenantId: string,
  domain: string | null,
  { from, to }: Span,
): Promise<Annotation[]> {
  const { rows } = await db.query<Annotation>({
    name: 'analytics-annotations',
    text: `with bounds as (
             select $2::date::timestamp at time zone 'UTC' as low, ($3::date + 1)::timestamp at time zone 'UTC' as high),
           moves as (
             select h.at, ${KIND_OF} as kind, d.name as subject, h.from_tier as "fromTier", h.to_tier as "toTier"
             from bounds b, domains d cross join lateral (
               select * from warmup_history h
               where h.domain_id = d.id and h.tenant_id = $1 and h.at >= b.low and h.at < b.high
                 and (h.from_tier <> h.to_tier
                   or h.action in ('brake_bulk', 'brake_all', 'brake_release', 'pause', 'resume'))
               order by h.id desc limit $5) h
             where d.tenant_id = $1 and ($4::text is null or d.name = lower($4))),
           launches as (
             select c.launched_at as at, 'campaign' as kind, c.name as subject, null::smallint, null::smallint
             from bounds b, campaigns c
             where c.tenant_id = $1 and c.launched_at >= b.low and c.launched_at < b.high
               and ($4::text is null or lower(c.header_from) like '%@' || lower($4) || '%'))
           select * from (
             select * from (select * from moves union all select * from launches) x order by at desc limit $5) newest
           order by at`,
    values: [tenantId, from, to, domain, MAX_ANNOTATIONS],
  });
  return rows;
}
