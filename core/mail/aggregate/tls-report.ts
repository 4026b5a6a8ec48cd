// Reads TLS reports (RFC 8460 section 4.4).

import { z } from 'zod';

import {
  addCount,
  createSources,
  MAX_COUNT,
  NO_SOURCE,
  NotAReport,
  periodOf,
  plainDomain,
  shortText,
} from './report.ts';
import type { AggregateReport } from './report.ts';

/** Bytes of JSON that are read: it becomes objects in memory, ten times its size. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

const MAX_POLICIES = 100; // of one report: one domain has three at most

const count = z.int().min(0).max(MAX_COUNT);
const text = z.string().nullish();

const policies = z.array(
  z.object({
    policy: z.object({ 'policy-domain': z.string() }),
    summary: z.object({ 'total-successful-session-count': count, 'total-failure-session-count': count }),
    'failure-details': z
      .array(
        z.object({
          'result-type': z.string(),
          'sending-mta-ip': text,
          'receiving-mx-hostname': text,
          'failed-session-count': count,
          'failure-reason-code': text,
        }),
      )
      .nullish(),
  }),
);

const report = z.object({
  'organization-name': z.string(),
  'report-id': z.string(),
  'date-range': z.object({ 'start-datetime': z.string(), 'end-datetime': z.string() }),
  policies: policies.min(1).max(MAX_POLICIES),
});

/** Reads a report: one result for each domain that it has policies of. Throws NotAReport. `now` is the clock, in milliseconds. */
export function readTlsReport(json: string, now: number): AggregateReport[] {
  const parsed = report.safeParse(parse(json));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new NotAReport(
      `it is no TLS report: ${shortText(issue?.path.join('.') ?? '')}: ${shortText(issue?.message ?? '')}`,
    );
  }
  const { data } = parsed;
  const { 'start-datetime': start, 'end-datetime': end } = data['date-range'];
  const head = {
    type: 'tls' as const,
    reporter: shortText(data['organization-name']),
    reportId: shortText(data['report-id']),
    ...periodOf(Date.parse(start), Date.parse(end), now),
  };
  if (head.reporter === '' || head.reportId === '') throw new NotAReport('its reporter or id is missing');
  const domainOf = ({ policy }: { policy: { 'policy-domain': string } }) =>
    plainDomain(policy['policy-domain']);
  const domains = new Set(data.policies.map(domainOf));
  return [...domains].map((domain) => {
    const own = data.policies.filter((one) => domainOf(one) === domain);
    return { ...head, domain, ...sum(own) };
  });
}

function sum(
  own: z.infer<typeof policies>,
): Pick<AggregateReport, 'total' | 'passed' | 'failed' | 'sources'> {
  const sources = createSources();
  let [passed, failed] = [0, 0];
  for (const { summary, 'failure-details': details } of own) {
    passed = addCount(passed, summary['total-successful-session-count']);
    failed = addCount(failed, summary['total-failure-session-count']);
    for (const one of details ?? []) {
      sources.add({
        ...NO_SOURCE,
        source: shortText(one['sending-mta-ip'] ?? '') || null,
        count: addCount(0, one['failed-session-count']),
        result: shortText(one['result-type']).toLowerCase(),
        reason: shortText(one['failure-reason-code'] ?? '') || null,
        receiving_mx: plainDomain(one['receiving-mx-hostname'] ?? '') || null,
      });
    }
  }
  return { total: addCount(passed, failed), passed, failed, sources: sources.list() };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new NotAReport('its JSON is broken');
  }
}
