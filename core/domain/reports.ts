// Reading the aggregate reports about a domain.

import { notFound } from '../base/errors.ts';
import type { Database } from '../db/pool.ts';
import type { ReportType } from '../mail/aggregate/report.ts';
import { selectDomain } from './domain-store.ts';
import { selectReports, type DomainReport } from './report-store.ts';

/** Days that reports are kept, and that a summary looks back at most. */
export const MAX_REPORT_DAYS = 120;

/** A page of the reports about a domain, the newest first. Throws not_found when the tenant has no such domain. */
export async function listReports(
  deps: { db: Database },
  tenantId: string,
  domainId: string,
  page: { type: ReportType | null; since: Date | null; before: string | null; limit: number },
): Promise<DomainReport[]> {
  const { pool } = deps.db;
  const [domain, reports] = await Promise.all([
    selectDomain(pool, tenantId, domainId),
    selectReports(pool, tenantId, domainId, page),
  ]);
  if (!domain) throw notFound('domain');
  return reports;
}
