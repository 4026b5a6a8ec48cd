// Aggregate reports in PostgreSQL. SQL by hand: what is stored depends on what is there, and sums are made where the rows are.

import { HERE } from '../db/citus-forms.ts';
import type { domainReports } from '../db/schema/report.ts';
import type { Queryable } from '../db/pool.ts';
import type { AggregateReport, ReportSource, ReportType } from '../mail/aggregate/report.ts';

/** A report as it is shown. */
export type DomainReport = Omit<typeof domainReports.$inferSelect, 'tenantId' | 'domainId'>;

/** Reports of a domain that count in 24 hours, those whose mail passed DMARC and the others each: anybody can send some. */
export const MAX_REPORTS_PER_DAY = 500;

/** A report, and who brought it. `id` is a UUID. */
export interface NewReport {
  id: string;
  tenantId: string;
  domainId: string;
  sender: string;
  authenticated: boolean;
  report: AggregateReport;
}

/**
 * Stores a report. `known` when it was there already; one that came in forged mail first is replaced by the one whose mail
 * is authenticated. `too_many` beyond MAX_REPORTS_PER_DAY.
 */
export async function putReport(db: Queryable, one: NewReport): Promise<'stored' | 'known' | 'too_many'> {
  const { report } = one;
  const { rows } = await db.query<{ room: boolean; stored: boolean }>({
    name: 'domain.put-report',
    text: `with place as materialized (
             select count(*) < ${MAX_REPORTS_PER_DAY} as room, now() as now
             from domain_reports
             where tenant_id = $2 and domain_id = $3 and authenticated = $8
               and id >= uuid_floor(now() - interval '1 day')),
           stored as (
             insert into domain_reports as r (id, tenant_id, domain_id, type, reporter, report_id, sender, authenticated,
               begin, "end", total, passed, failed, sources, received_at)
             select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, place.now from place, ${HERE} where room
             on conflict (domain_id, type, reporter, sender, report_id) do update
               set authenticated = true, begin = excluded.begin, "end" = excluded."end", total = excluded.total,
                 passed = excluded.passed, failed = excluded.failed, sources = excluded.sources
               where r.tenant_id = $2 and excluded.authenticated and not r.authenticated
             returning 1)
           select room, exists (select from stored) as stored from place`,
    values: [
      ...[one.id, one.tenantId, one.domainId, report.type, report.reporter, report.reportId],
      ...[one.sender, one.authenticated, report.from, report.to, report.total, report.passed, report.failed],
      JSON.stringify(report.sources),
    ],
  });
  const [{ room, stored }] = rows as [{ room: boolean; stored: boolean }];
  if (stored) return 'stored';
  return room ? 'known' : 'too_many';
}

/** Reports of a domain whose period ends at `since` or later, the newest first. */
export async function selectReports(
  db: Queryable,
  tenantId: string,
  domainId: string,
  page: { type: ReportType | null; since: Date | null; before: string | null; limit: number },
): Promise<DomainReport[]> {
  const { rows } = await db.query<DomainReport>({
    name: 'domain.reports',
    text: `select id, type, reporter, report_id as "reportId", sender, authenticated, begin, "end", total::float8 as total,
             passed::float8 as passed, failed::float8 as failed, sources, received_at as "receivedAt"
           from domain_reports
           where tenant_id = $1 and domain_id = $2 and ($3::text is null or type = $3)
             and ($4::timestamptz is null or "end" >= $4) and ($5::uuid is null or id < $5)
           order by id desc limit $6`,
    values: [tenantId, domainId, page.type, page.since, page.before, page.limit],
  });
  return rows;
}

/** What the reports of some days come to. */
export interface ReportSummary {
  reports: number;
  /** Reports whose mail passed DMARC. */
  authenticated: number;
  total: number;
  passed: number;
  failed: number;
  /** UTC days, oldest first, today last; a report counts on the day in the middle of its period. */
  days: { date: string; passed: number; failed: number }[];
  /** Sources over all reports, the largest first: MAX_SHOWN at most. */
  sources: ReportSource[];
}

const MAX_SHOWN = 100;
const MAX_SUMMED = 5_000; // reports, half a million sources: half a second

/** Sums the reports of one kind whose period ends in the last `days` days: of a flood, those of authenticated mail first. */
export async function sumReports(
  db: Queryable,
  tenantId: string,
  domainId: string,
  type: ReportType,
  days: number,
): Promise<ReportSummary> {
  const { rows } = await db.query<ReportSummary>({
    name: 'domain.report-summary',
    text: `with chosen as materialized (
             select authenticated, total, passed, failed, sources,
               to_char((begin + ("end" - begin) / 2) at time zone 'UTC', 'YYYY-MM-DD') as date
             from domain_reports
             where tenant_id = $1 and domain_id = $2 and type = $3 and "end" >= now() - $4 * interval '1 day'
             order by authenticated desc, id desc limit ${MAX_SUMMED}),
           by_day as (
             select to_char(d, 'YYYY-MM-DD') as date, coalesce(sum(passed), 0)::float8 as passed,
               coalesce(sum(failed), 0)::float8 as failed
             from generate_series(now() at time zone 'UTC' - $4 * interval '1 day', now() at time zone 'UTC', '1 day') as d
             left join chosen on chosen.date = to_char(d, 'YYYY-MM-DD') group by 1),
           by_source as (
             select case when $3 = 'dmarc' then s.source end as source, sum(s.count)::float8 as count, s.result, s.dkim, s.spf,
               s.disposition, s.header_from, s.reason, s.receiving_mx,
               (array_agg(s.auth order by s.count desc))[1] as auth
             from chosen, jsonb_to_recordset(sources) as s(source text, count float8, result text, dkim text, spf text,
               disposition text, header_from text, auth text, reason text, receiving_mx text)
             group by 1, s.result, s.dkim, s.spf, s.disposition, s.header_from, s.reason, s.receiving_mx
             order by 2 desc, 1 limit ${MAX_SHOWN})
           select count(*)::int as reports, count(*) filter (where authenticated)::int as authenticated,
             coalesce(sum(total), 0)::float8 as total, coalesce(sum(passed), 0)::float8 as passed,
             coalesce(sum(failed), 0)::float8 as failed,
             (select coalesce(jsonb_agg(to_jsonb(d) order by date), '[]') from by_day d) as days,
             (select coalesce(jsonb_agg(to_jsonb(s) order by count desc, source), '[]') from by_source s) as sources
           from chosen`,
    values: [tenantId, domainId, type, days],
  });
  return rows[0]!;
}
