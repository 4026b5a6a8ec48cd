// The most important issue of a domain as a short text, for the list and the top of its page.

import type { DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import type { DomainListRowFragment } from '../../gen/pages/domains/domains.ts';

const SHORT: { [purpose: string]: string } = {
  dkim: 'DKIM',
  return_path: 'return path',
  spf: 'SPF',
  dmarc: 'DMARC',
  mx: 'MX',
  tracking: 'tracking',
  tls_rpt: 'TLS-RPT',
};

/** A short name for a record's purpose. */
export function shortPurpose(purpose: string): string {
  return SHORT[purpose] ?? purpose.replaceAll('_', ' ');
}

/** Whether a record brings the domain's incoming mail here: nothing that sending needs, and never to be published by the way. */
export function isReceiving(purpose: string): boolean {
  return purpose === 'mx';
}

/** The most important issue; `urgent` when it blocks sending or soon will. Null: no issues. */
export function firstIssue(domain: DomainListRowFragment): { text: string; urgent: boolean } | null {
  const { status, problem, records, warmup, brake, checkedAt } = domain;
  const open = records.filter(({ status: seen, purpose }) => seen !== 'found' && !isReceiving(purpose));
  const required = open.filter((record) => record.required).map(({ purpose }) => shortPurpose(purpose));
  if (problem !== null) return { text: problem, urgent: true };
  if (status !== 'verified' && checkedAt === null) return { text: 'DNS not checked yet', urgent: true };
  if (required.length > 0) return { text: `Missing or wrong in DNS: ${required.join(', ')}`, urgent: true };
  if (status !== 'verified') return { text: 'Check DNS again', urgent: true };
  if (warmup.state === 'paused')
    return { text: `Paused: ${warmup.pausedReason ?? 'no reason given'}`, urgent: true };
  if (brake.state !== 'off')
    return { text: `Same-day brake: ${brake.reason ?? 'no reason given'}`, urgent: true };
  const optional = open.map(({ purpose }) => shortPurpose(purpose));
  return optional.length === 0
    ? null
    : { text: `Optional records not found: ${optional.join(', ')}`, urgent: false };
}

/**
 * The records of a new DKIM key that does not sign yet: those of another selector than the signing one. An Ed25519 key
 * has the selector of its RSA key with the suffix `-ed`.
 */
export function waitingKeys({ dkim, records }: DomainDetailFragment): DomainDetailFragment['records'] {
  if (dkim === null) return [];
  const signing = [`${dkim.selector}.`, `${dkim.selector}-ed.`];
  return records.filter(
    ({ purpose, name }) => purpose === 'dkim' && !signing.some((start) => name.startsWith(start)),
  );
}
