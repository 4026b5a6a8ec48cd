// What a sending domain is, and the names that hang below it.

import type { RecordStatus } from '../db/schema/domain.ts';
import type { dkimKeys, domains } from '../db/schema/domain.ts';

/** Where a domain stands: only a verified one sends and receives. */
export type DomainStatus = 'pending' | 'verified' | 'failed';

/** What a DNS record is for. */
type RecordPurpose = 'dkim' | 'return_path' | 'spf' | 'dmarc' | 'mx' | 'tracking';

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
  'brakeStart' | 'brakeTrickleAt' | 'senderRulesLiftedAt'
> & {
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

/** A domain with everything that its owner is shown. */
export interface DomainView extends Domain {
  dkim: { selector: string; algorithm: DkimAlgorithm; status: RecordStatus['status'] } | null;
  records: DomainRecord[];
  returnPathDomain: string;
  complaintAddress: string;
  /** Why the domain failed, when that is not the fault of one record. */
  problem: string | null;
}

/** First label of a return path domain; no sending domain may begin with it. */
export const RETURN_PATH_LABEL = 'bounces';

/** Where bounces of a sending domain go: the domain of its return paths. */
export function returnPathDomain(name: string): string {
  return `${RETURN_PATH_LABEL}.${name}`;
}

/** The host of tracking links, when the customer publishes it. */
export function trackingDomain(name: string): string {
  return `track.${name}`;
}

/** Where feedback loops of a sending domain report to. */
export function complaintAddress(name: string): string {
  return `complaints@${returnPathDomain(name)}`;
}
