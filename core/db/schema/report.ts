// Aggregate reports that others send about a domain: who sends as it (DMARC), how TLS with its mail servers went (TLS-RPT).

import { bigint, boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';

import type { ReportSource, ReportType } from '../../mail/aggregate/report.ts';
import { time, timeOfInsert } from './columns.ts';
import { domains } from './domain.ts';

/** One aggregate report about a sending domain, once however often it comes. */
export const domainReports = pgTable(
  'domain_reports',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    type: text('type').$type<ReportType>().notNull(),
    /** As the reporter calls itself. */
    reporter: text('reporter').notNull(),
    reportId: text('report_id').notNull(),
    /** Domain in From of the mail that brought it. */
    sender: text('sender').notNull(),
    /** Whether DMARC of that mail passed: without it anybody may have written the report. */
    authenticated: boolean('authenticated').notNull(),
    begin: time('begin').notNull(),
    end: time('end').notNull(),
    total: bigint('total', { mode: 'number' }).notNull(),
    passed: bigint('passed', { mode: 'number' }).notNull(),
    failed: bigint('failed', { mode: 'number' }).notNull(),
    /** The largest sources, and the sum of the others. */
    sources: jsonb('sources').$type<ReportSource[]>().notNull(),
    receivedAt: timeOfInsert('received_at'),
  },
  (t) => [
    uniqueIndex('domain_reports_once').on(t.domainId, t.type, t.reporter, t.sender, t.reportId),
    index('domain_reports_domain').on(t.domainId, t.id),
  ],
);
