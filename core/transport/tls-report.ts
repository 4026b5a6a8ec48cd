// TLS-RPT (RFC 8460): where a domain wants its reports, and what one says. Pure.

import { readTags } from '../mail/tag-list.ts';

/** The results that a report names (section 4.3), those that a sender of ours can see. */
export type TlsFailure =
  | 'starttls-not-supported'
  | 'certificate-host-mismatch'
  | 'certificate-expired'
  | 'certificate-not-trusted'
  | 'validation-failure'
  | 'dnssec-invalid';

/** Sessions of one day with the servers of one domain, under one policy and with one result. */
export interface TlsSessions {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  domain: string;
  policyType: 'tlsa' | 'sts' | 'no-policy-found';
  /** The policy, line by line; the MX patterns of an MTA-STS policy. */
  policy: string[];
  mxPatterns: string[];
  /** Empty for success; then all that follows is empty as well. */
  result: TlsFailure | '';
  mx: string;
  ip: string;
  ourIp: string;
  reason: string;
  sessions: number;
}

/** Who reports. */
export interface Reporter {
  /** The domain that signs the report, and an address of it. */
  domain: string;
  contact: string;
}

const MAX_TARGETS = 5;

/** Where the TXT records at `_smtp._tls.<domain>` want reports: `mailto:` and `https:` URIs; none or several records are none. */
export function readReportTargets(records: readonly string[]): string[] {
  const wanted = records.filter((record) => record.startsWith('v=TLSRPTv1'));
  if (wanted.length !== 1) return [];
  const tags = readTags(wanted[0]!, 'TLSRPTv1') ?? [];
  const rua = tags.findLast(({ name, value }) => name === 'rua' && value !== '')?.value ?? '';
  return rua
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => /^(mailto:[^?]+@|https:\/\/)/i.test(uri))
    .slice(0, MAX_TARGETS);
}

/** The id of a report; the same for each try of a day's. */
export function reportId(reporter: Reporter, day: string, domain: string): string {
  return `${day}.${domain}@${reporter.domain}`;
}

/** The name of its file (section 5.1). */
export function reportFile(reporter: Reporter, day: string, domain: string): string {
  const { from, to } = range(day);
  const seconds = (time: string) => Math.floor(Date.parse(time) / 1000);
  return `${reporter.domain}!${domain}!${seconds(from)}!${seconds(to)}.json.gz`;
}

/** The report of one domain's day (section 4.4), as JSON. */
export function writeReport(
  reporter: Reporter,
  day: string,
  domain: string,
  rows: readonly TlsSessions[],
): string {
  const { from, to } = range(day);
  const types = [...new Set(rows.map((row) => row.policyType))];
  return JSON.stringify({
    'organization-name': reporter.domain,
    'date-range': { 'start-datetime': from, 'end-datetime': to },
    'contact-info': reporter.contact,
    'report-id': reportId(reporter, day, domain),
    policies: types.map((type) => ofPolicy(rows.filter((row) => row.policyType === type))),
  });
}

function range(day: string): { from: string; to: string } {
  return { from: `${day}T00:00:00Z`, to: `${day}T23:59:59Z` };
}

function ofPolicy(rows: readonly TlsSessions[]) {
  const { policyType, domain } = rows[0]!;
  const policy = rows.find((row) => row.policy.length > 0)?.policy ?? [];
  const patterns = rows.find((row) => row.mxPatterns.length > 0)?.mxPatterns ?? [];
  const failures = rows.filter((row) => row.result !== '');
  const count = (some: readonly TlsSessions[]) => some.reduce((sum, row) => sum + row.sessions, 0);
  return {
    policy: {
      'policy-type': policyType,
      ...(policy.length > 0 && { 'policy-string': policy }),
      'policy-domain': domain,
      ...(patterns.length > 0 && { 'mx-host': patterns }),
    },
    summary: {
      'total-successful-session-count': count(rows) - count(failures),
      'total-failure-session-count': count(failures),
    },
    ...(failures.length > 0 && { 'failure-details': failures.map(toFailure) }),
  };
}

function toFailure(row: TlsSessions) {
  return {
    'result-type': row.result,
    ...(row.ourIp !== '' && { 'sending-mta-ip': row.ourIp }),
    'receiving-mx-hostname': row.mx,
    ...(row.ip !== '' && { 'receiving-ip': row.ip }),
    'failed-session-count': row.sessions,
    ...(row.reason !== '' && { 'failure-reason-code': row.reason }),
  };
}
