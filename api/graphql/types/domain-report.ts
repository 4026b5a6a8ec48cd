// What others report about a domain: DMARC and TLS.

import { invalidField } from '../../../core/base/errors.ts';
import { sumReports, type DomainReport, type ReportSummary } from '../../../core/domain/report-store.ts';
import { listReports, MAX_REPORT_DAYS } from '../../../core/domain/reports.ts';
import { REPORT_TYPES, type ReportSource } from '../../../core/mail/aggregate/report.ts';
import type { Builder } from '../builder.ts';
import { connectionCost, resolveOlder } from '../page.ts';
import type { DomainTypes } from './domain.ts';

const SUMMARY_COST = 100; // reads all reports of the period

/** Adds `reports` and `reportSummary` to Domain. */
export function addDomainReports(builder: Builder, { domain }: DomainTypes): void {
  const type = builder.enumType('ReportType', { values: REPORT_TYPES });
  const source = addSource(builder);
  const report = builder.objectRef<DomainReport>('DomainReport').implement({
    description: 'An aggregate report about a domain',
    fields: (t) => ({
      type: t.expose('type', { type }),
      reporter: t.exposeString('reporter', { description: 'As it calls itself' }),
      reportId: t.exposeString('reportId'),
      sender: t.exposeString('sender', { description: 'Domain in From of the mail that brought the report' }),
      authenticated: t.exposeBoolean('authenticated', {
        description: 'Whether DMARC of that mail passed; if not, anybody may have written the report',
      }),
      from: t.expose('begin', { type: 'DateTime' }),
      to: t.expose('end', { type: 'DateTime' }),
      total: t.exposeFloat('total', { description: 'Messages (DMARC), sessions (TLS)' }),
      passed: t.exposeFloat('passed'),
      failed: t.exposeFloat('failed'),
      sources: t.expose('sources', { type: [source], description: 'The largest first' }),
      receivedAt: t.expose('receivedAt', { type: 'DateTime' }),
    }),
  });
  builder.objectField(domain, 'reports', (t) =>
    t.connection({
      type: report,
      description: 'Newest first',
      args: {
        type: t.arg({ type }),
        since: t.arg({ type: 'DateTime', description: 'whose period ends at this time or later' }),
      },
      complexity: (args) => connectionCost(args),
      resolve: ({ tenantId, id }, args, { deps }) =>
        resolveOlder(args, (page) =>
          deps.inTenantOf(tenantId, () =>
            listReports(deps, tenantId, id, { type: args.type ?? null, since: args.since ?? null, ...page }),
          ),
        ),
    }),
  );
  const summary = addSummary(builder, source);
  builder.objectField(domain, 'reportSummary', (t) =>
    t.field({
      type: summary,
      args: {
        type: t.arg({ type, required: true }),
        days: t.arg.int({ defaultValue: 30, description: `1 to ${MAX_REPORT_DAYS}` }),
      },
      complexity: SUMMARY_COST,
      resolve: ({ tenantId, id }, args, { deps }) => {
        const days = args.days ?? 30;
        if (days < 1 || days > MAX_REPORT_DAYS) throw invalidField('days', `must be 1 to ${MAX_REPORT_DAYS}`);
        return deps.inTenantOf(tenantId, () => sumReports(deps.db.pool, tenantId, id, args.type, days));
      },
    }),
  );
}

function addSource(builder: Builder) {
  const words = ['source', 'result', 'dkim', 'spf', 'disposition', 'auth', 'reason'] as const;
  return builder.objectRef<ReportSource>('ReportSource').implement({
    description:
      'Messages or sessions of one source with one result; `source` and `result` are null for all beyond the largest',
    fields: (t) => {
      const texts = words.map((name) => [name, t.exposeString(name, { nullable: true })] as const);
      return {
        count: t.exposeFloat('count', { description: 'Messages (DMARC), failed sessions (TLS)' }),
        headerFrom: t.exposeString('header_from', { nullable: true }),
        receivingMx: t.exposeString('receiving_mx', { nullable: true }),
        ...Object.fromEntries<(typeof texts)[number][1]>(texts),
      };
    },
  });
}

function addSummary(builder: Builder, source: ReturnType<typeof addSource>) {
  const day = builder.objectRef<ReportSummary['days'][number]>('ReportDay').implement({
    fields: (t) => ({
      date: t.exposeString('date', { description: 'UTC' }),
      passed: t.exposeFloat('passed'),
      failed: t.exposeFloat('failed'),
    }),
  });
  return builder.objectRef<ReportSummary>('ReportSummary').implement({
    description: 'What the reports of some days come to',
    fields: (t) => ({
      reports: t.exposeInt('reports'),
      authenticated: t.exposeInt('authenticated', { description: 'Reports whose mail passed DMARC' }),
      total: t.exposeFloat('total', { description: 'Messages (DMARC), sessions (TLS)' }),
      passed: t.exposeFloat('passed'),
      failed: t.exposeFloat('failed'),
      days: t.expose('days', { type: [day], description: 'Oldest first, today last' }),
      sources: t.expose('sources', { type: [source], description: 'The largest first, 100 at most' }),
    }),
  });
}
