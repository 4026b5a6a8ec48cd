// What a sending domain is, and the names that hang below it.

import type { RecordStatus } from '../db/schema/domain.ts';
import type { dkimKeys, domains } from '../db/schema/domain.ts';
import type { ReportType } from '../mail/aggregate/report.ts';

/** Where a domain stands: only a verified one sends and receives. */
export type DomainStatus = 'pending' | 'verified' | 'failed';

/** What a DNS record is for. */
type RecordPurpose = 'dkim' | 'return_path' | 'spf' | 'dmarc' | 'mx' | 'tracking' | 'tls_rpt';

/** One record that the customer publishes, with what DNS showed last. */
export interface DomainRecord {
  /** Under which its status is stored: the purpose, for DKIM with the selector. */
  key: string;
  purpose: RecordPurpose;
  type: 'TXT' | 'MX' | 'CNAME';
  name: string;
  value: string;
  /** Of an MX record. */
  priority: number | null;
  /** Whether the domain cannot be verified without it. */
  required: boolean;
  status: RecordStatus['status'];
  /** What to do about it, in words. */
  problem: string | null;
}

/** A sending domain as it is stored. */
export type Domain = Omit<
  typeof domains.$inferSelect,
  'brakeStart' | 'brakeTrickleAt' | 'senderRulesLiftedAt' | 'nextCheckAt'
> & {
  /** Whether links of its mail lead over its tracking host now. */
  trackingHostLive: boolean;
  certificateExpiresAt: Date | null;
  /** Why the last order of a certificate came to nothing. */
  certificateProblem: string | null;
  /** Most campaign mail of a day for the sender rules; null: no such limit. */
  bulkLimit: number | null;
  /** UTC date of `used`. */
  day: string;
  /** The cap of `day`; null while that day has seen no mail: then it is the cap of the tier. */
  cap: number | null;
  used: number;
  /** When this was read, by the clock of PostgreSQL. */
  readAt: Date;
};

/** How a key signs. */
export type DkimAlgorithm = DkimKeyInfo['algorithm'];

/** A signing key without its private half. `pending`: published, not yet seen; `retired`: signs no more. */
export type DkimKeyInfo = Omit<typeof dkimKeys.$inferSelect, 'tenantId' | 'sealedPrivateKey'>;

/** Every state of a tracking host, with what it means. */
export const TRACKING_HOST_STATUSES = {
  off: 'This installation has no certificates for tracking hosts; its administrator can set that up',
  not_found: 'Its CNAME record was not found',
  waiting_for_certificate: 'Its record was found; it goes live with its certificate',
  live: 'Links, pixel and unsubscribe page of new mail are there',
  lost: 'It was live: its record is gone or its certificate has expired; new mail uses the service’s own host',
} as const;

/** Where a tracking host stands. */
export type TrackingHostStatus = keyof typeof TRACKING_HOST_STATUSES;

/** A tracking host as its owner is shown it. */
export interface TrackingHostView {
  name: string;
  status: TrackingHostStatus;
  /** What keeps it from being live, or will soon, and what to do. */
  problem: string | null;
  certificateExpiresAt: Date | null;
}

/** A domain with everything that its owner is shown. */
export interface DomainView extends Domain {
  dkim: { selector: string; algorithm: DkimAlgorithm; status: RecordStatus['status'] } | null;
  records: DomainRecord[];
  returnPathDomain: string;
  complaintAddress: string;
  trackingHost: TrackingHostView;
  dmarcAddress: string;
  tlsReportAddress: string;
  /** Why the domain failed, when that is not the fault of one record. */
  problem: string | null;
}

/** First label of a return path domain; no sending domain may begin with it. */
export const RETURN_PATH_LABEL = 'bounces';

/** Where bounces of a sending domain go: the domain of its return paths. */
export function returnPathDomain(name: string): string {
  return `${RETURN_PATH_LABEL}.${name}`;
}

/** First label of every tracking host. */
export const TRACKING_LABEL = 'track';

/** The host of tracking links, when the customer publishes it. */
export function trackingDomain(name: string): string {
  return `${TRACKING_LABEL}.${name}`;
}

/** Local parts of the addresses for reports, at the return path domain. */
export const REPORT_MAILBOXES = { complaint: 'complaints', dmarc: 'dmarc', tls: 'tlsrpt' } as const;

/** Where receivers send aggregate reports about a sending domain: below it, so no other domain has to agree (RFC 7489 section 7.1). */
export function reportAddress(name: string, type: ReportType): string {
  return `${REPORT_MAILBOXES[type]}@${returnPathDomain(name)}`;
}

/** Where feedback loops of a sending domain report to. */
export function complaintAddress(name: string): string {
  return `${REPORT_MAILBOXES.complaint}@${returnPathDomain(name)}`;
}
