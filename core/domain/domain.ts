// What a sending domain is, and the names that hang below it.

import type { RecordStatus } from '../db/schema/domain.ts';

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
export interface Domain {
  /** UUID. */
  id: string;
  tenantId: string;
  name: string;
  status: DomainStatus;
  recordStatus: Record<string, RecordStatus>;
  tier: number;
  warmupState: 'active' | 'held' | 'paused';
  pausedReason: string | null;
  /** UTC date of `used`. */
  day: string;
  /** The cap of `day`; null while that day has seen no mail: then it is the cap of the tier. */
  cap: number | null;
  used: number;
  transactionalReserve: number;
  inboundEnabled: boolean;
  builtIn: boolean;
  createdAt: Date;
  verifiedAt: Date | null;
  checkedAt: Date | null;
  /** Since when a required record has been gone. */
  failingSince: Date | null;
  /** When this was read, by the clock of PostgreSQL. */
  readAt: Date;
}

/** How a key signs. */
export type DkimAlgorithm = 'rsa-sha256' | 'ed25519-sha256';

/** A signing key without its private half. `pending`: published, not yet seen; `retired`: signs no more. */
export interface DkimKeyInfo {
  /** UUID. */
  id: string;
  domainId: string;
  selector: string;
  algorithm: DkimAlgorithm;
  state: 'active' | 'pending' | 'retired';
  /** Base64, as it stands after `p=`. */
  publicKey: string;
  createdAt: Date;
}

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
