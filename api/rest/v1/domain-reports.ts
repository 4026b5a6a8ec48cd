// GET /mail/domains/{id}/reports: what others report about a domain.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { instant } from '../../../core/base/time-input.ts';
import type { DomainReport } from '../../../core/domain/report-store.ts';
import { listReports, MAX_REPORT_DAYS } from '../../../core/domain/reports.ts';
import { REPORT_TYPES } from '../../../core/mail/aggregate/report.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute } from '../route.ts';

const count = z.int().min(0);
const word = z.string().nullable();
const verdict = z.enum(['pass', 'fail']).nullable();

const source = z
  .object({
    source: word.meta({
      description:
        'IP address that sent; null: the report does not say, or all sources beyond the 99 largest',
    }),
    count: count.meta({ description: 'messages (dmarc), failed sessions (tls)' }),
    result: word.meta({
      description: 'dmarc: pass, fail; tls: the result type (RFC 8460); null: all sources beyond the largest',
    }),
    dkim: verdict.meta({ description: 'dmarc: whether DKIM passed for a domain aligned with From' }),
    spf: verdict.meta({ description: 'the same of SPF' }),
    disposition: word.meta({ description: 'dmarc: what the receiver did: none, quarantine, reject' }),
    header_from: word.meta({ description: 'dmarc: domain in From' }),
    auth: word.meta({ description: 'dmarc: what passed and failed, for which domains' }),
    reason: word.meta({
      description: 'dmarc: why the policy was not applied; tls: reason code of the failure',
    }),
    receiving_mx: word.meta({ description: 'tls: mail server of the domain' }),
  })
  .meta({ id: 'ReportSource', description: 'Messages or sessions of one source with one result' });

const reportView = z
  .object({
    type: z.enum(REPORT_TYPES),
    reporter: z.string().meta({ description: 'as it calls itself' }),
    report_id: z.string(),
    sender: z.string().meta({ description: 'domain in From of the mail that brought the report' }),
    authenticated: z.boolean().meta({
      description: 'whether DMARC of that mail passed; if not, anybody may have written the report',
    }),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    total: count.meta({ description: 'messages (dmarc), sessions (tls)' }),
    passed: count,
    failed: count,
    sources: z.array(source).meta({ description: 'the largest first' }),
    received_at: z.iso.datetime(),
  })
  .meta({ id: 'DomainReport', description: 'An aggregate report about a domain' });

/** GET /mail/domains/{id}/reports */
export const listDomainReports = defineRoute(
  {
    operationId: 'listDomainReports',
    method: 'GET',
    path: '/mail/domains/{id}/reports',
    access: 'domains:read',
    group: 'Domains',
    summary: 'List DMARC and TLS reports about a domain',
    description:
      `The newest first, kept for ${MAX_REPORT_DAYS} days. ` +
      'They come by mail to `dmarc_address` and `tls_report_address` of the domain, ' +
      'and each counts once.',
    params: z.object({ id: idInput('dom') }),
    query: z.strictObject({
      type: z.enum(REPORT_TYPES).optional(),
      since: instant.optional().meta({ description: 'whose period ends at this time or later' }),
      ...pageQuery,
    }),
    response: pageOf(reportView),
    status: 200,
  },
  async ({ deps, caller, params: { id }, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const { type = null, since = null } = query;
    const rows = await listReports(deps, caller.tenantId, id, {
      type,
      since,
      before,
      limit: query.limit + 1,
    });
    return { data: toPage(rows, query.limit, (row) => [row.id], toReportView) };
  },
);

function toReportView(report: DomainReport): z.input<typeof reportView> {
  return {
    type: report.type,
    reporter: report.reporter,
    report_id: report.reportId,
    sender: report.sender,
    authenticated: report.authenticated,
    from: report.begin.toISOString(),
    to: report.end.toISOString(),
    total: report.total,
    passed: report.passed,
    failed: report.failed,
    sources: report.sources,
    received_at: report.receivedAt.toISOString(),
  };
}
