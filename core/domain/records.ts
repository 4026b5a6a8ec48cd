// Every DNS record of a sending domain, with what DNS showed last. Pure.

import type { Config } from '../base/config.ts';
import type { RecordStatus } from '../db/schema/domain.ts';
import { dkimRecordValue } from './dkim-key.ts';
import {
  complaintAddress,
  reportAddress,
  returnPathDomain,
  trackingDomain,
  type DkimKeyInfo,
  type Domain,
  type DomainRecord,
  type DomainView,
} from './domain.ts';
import { trackingTarget, viewTrackingHost, type TrackingSettings } from './tracking-host.ts';

/** The settings that appear in the records. */
export type RecordSettings = Pick<Config, 'INBOUND_HOSTNAME' | 'OUTBOUND_HOSTNAME'> & TrackingSettings;

const MX_PRIORITY = 10;
const UNSEEN: RecordStatus = { status: 'pending', problem: null };

/** Under `recordStatus`: what is wrong with the domain as a whole, such as a name that somebody else verified. */
export const DOMAIN_KEY = 'domain';

/** Under which the status of a key's record is stored. */
export function dkimRecordKey(selector: string): string {
  return `dkim:${selector}`;
}

/**
 * The records to publish: required ones first. Retired keys have none, and nor has the tracking host where it cannot
 * work.
 */
export function records(domain: Domain, keys: DkimKeyInfo[], settings: RecordSettings): DomainRecord[] {
  const { name } = domain;
  const returnPath = returnPathDomain(name);
  const own = (
    purpose: Exclude<DomainRecord['purpose'], 'dkim' | 'tracking'>,
    record: Pick<DomainRecord, 'type' | 'name' | 'value'> & { priority?: number; required?: boolean },
  ): DomainRecord => ({
    key: purpose,
    purpose,
    ...record,
    priority: record.priority ?? null,
    required: record.required ?? false,
    ...(domain.recordStatus[purpose] ?? UNSEEN),
  });
  const tracking = trackingRecord(name, settings);
  const inbound = { type: 'MX', value: settings.INBOUND_HOSTNAME, priority: MX_PRIORITY } as const;
  return [
    ...keys.filter((key) => key.state !== 'retired').map((key) => dkimRecord(domain, key)),
    own('return_path', { ...inbound, name: returnPath, required: true }),
    own('spf', { type: 'TXT', name: returnPath, value: `v=spf1 a:${settings.OUTBOUND_HOSTNAME} ~all` }),
    own('dmarc', {
      type: 'TXT',
      name: `_dmarc.${name}`,
      value: `v=DMARC1; p=none; rua=mailto:${reportAddress(name, 'dmarc')}`,
    }),
    own('mx', { ...inbound, name }),
    ...(tracking === null ? [] : [{ ...tracking, ...(domain.recordStatus[tracking.key] ?? UNSEEN) }]),
    own('tls_rpt', {
      type: 'TXT',
      name: `_smtp._tls.${name}`,
      value: `v=TLSRPTv1; rua=mailto:${reportAddress(name, 'tls')}`,
    }),
  ];
}

/** The record of a domain's tracking host, not looked up yet; null where tracking hosts cannot work. */
export function trackingRecord(domain: string, settings: TrackingSettings): DomainRecord | null {
  const value = trackingTarget(domain, settings);
  const name = trackingDomain(domain);
  const record = {
    key: 'tracking',
    purpose: 'tracking',
    type: 'CNAME',
    priority: null,
    required: false,
  } as const;
  return value === null ? null : { ...record, name, value, ...UNSEEN };
}

/** The domain as its owner is shown it. */
export function viewDomain(domain: Domain, keys: DkimKeyInfo[], settings: RecordSettings): DomainView {
  const key = signingKey(keys);
  return {
    ...domain,
    dkim: key && {
      selector: key.selector,
      algorithm: key.algorithm,
      status: (domain.recordStatus[dkimRecordKey(key.selector)] ?? UNSEEN).status,
    },
    records: records(domain, keys, settings),
    returnPathDomain: returnPathDomain(domain.name),
    complaintAddress: complaintAddress(domain.name),
    trackingHost: viewTrackingHost(domain, settings),
    dmarcAddress: reportAddress(domain.name, 'dmarc'),
    tlsReportAddress: reportAddress(domain.name, 'tls'),
    problem: domain.recordStatus[DOMAIN_KEY]?.problem ?? null,
  };
}

/** The RSA key that signs: the one whose record verification needs. */
export function signingKey(keys: DkimKeyInfo[]): DkimKeyInfo | null {
  return keys.find((key) => key.state === 'active' && key.algorithm === 'rsa-sha256') ?? null;
}

function dkimRecord(domain: Domain, key: DkimKeyInfo): DomainRecord {
  const stored = dkimRecordKey(key.selector);
  return {
    key: stored,
    purpose: 'dkim',
    type: 'TXT',
    name: `${key.selector}._domainkey.${domain.name}`,
    value: dkimRecordValue(key),
    priority: null,
    required: key.state === 'active' && key.algorithm === 'rsa-sha256',
    ...(domain.recordStatus[stored] ?? UNSEEN),
  };
}
