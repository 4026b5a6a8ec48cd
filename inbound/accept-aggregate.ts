// An aggregate report at the address of a domain (DMARC, TLS-RPT). Anybody can write there: what is stored says whether the
// mail that brought it passed DMARC, and a report about another domain is kept out.

import type pg from 'pg';

import { newUuid } from '../core/base/ids.ts';
import { putReport } from '../core/domain/report-store.ts';
import { setOutcome } from '../core/inbound/report-store.ts';
import { selectDomain } from '../core/domain/domain-store.ts';
import type { AggregateResult } from './parse/parse-job.ts';

/** Stores what a report says, in the caller's transaction, and notes on the mail what became of it. */
export async function acceptAggregate(
  client: pg.PoolClient,
  mail: { id: string; tenantId: string; domainId: string },
  found: AggregateResult,
): Promise<void> {
  await setOutcome(client, mail.tenantId, mail.id, await store(client, mail, found));
}

async function store(
  client: pg.PoolClient,
  { tenantId, domainId }: { tenantId: string; domainId: string },
  { reports, problem, sender, authenticated }: AggregateResult,
): Promise<string> {
  const [first] = reports;
  if (!first) return `no report: ${problem ?? 'it holds none'}`;
  const domain = await selectDomain(client, tenantId, domainId);
  if (!domain) return 'no such domain';
  const report = reports.find((one) => one.domain === domain.name);
  if (!report) return `other: about ${first.domain}`;
  const end = await putReport(client, { id: newUuid(), tenantId, domainId, sender, authenticated, report });
  switch (end) {
    case 'stored':
      return `${report.type} report`;
    case 'known':
      return 'known already';
    case 'too_many':
      return 'too many reports today';
    default:
      return end satisfies never;
  }
}
