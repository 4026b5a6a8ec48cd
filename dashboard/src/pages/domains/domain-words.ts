// What is wrong with a domain, in few words: for the list and for the top of its page.

import type { DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import type { DomainListRowFragment } from '../../gen/pages/domains/domains.ts';

const SHORT: { [purpose: string]: string } = {
  dkim: 'DKIM',
  return_path: 'return path',
  spf: 'SPF',
  dmarc: 'DMARC',
  mx: 'MX',
  tracking: 'tracking',
};

/** A record's purpose in a word or two. */
export function shortPurpose(purpose: string): string {
  return SHORT[purpose] ?? purpose.replaceAll('_', ' ');
}

/** What to look after first; `urgent` when it keeps mail from leaving or soon will. Null: all is well. */
export function whatIsWrong(domain: DomainListRowFragment): { text: string; urgent: boolean } | null {
  const { status, problem, records, warmup, checkedAt } = domain;
  const open = records.filter((record) => record.status !== 'found');
  const required = open.filter((record) => record.required).map(({ purpose }) => shortPurpose(purpose));
  if (problem !== null) return { text: problem, urgent: true };
  if (status !== 'verified' && checkedAt === null) return { text: 'Records not looked up yet', urgent: true };
  if (required.length > 0) return { text: `Not right in DNS: ${required.join(', ')}`, urgent: true };
  if (status !== 'verified') return { text: 'Verify it again', urgent: true };
  if (warmup.state === 'paused')
    return { text: `Paused: ${warmup.pausedReason ?? 'no reason given'}`, urgent: true };
  const optional = open.map(({ purpose }) => shortPurpose(purpose));
  return optional.length === 0
    ? null
    : { text: `Optional, not found: ${optional.join(', ')}`, urgent: false };
}

/**
 * The records of a DKIM key that waits to sign: of another selector than the one that signs. An Ed25519 key stands
 * under the selector of its RSA key with `-ed` behind it.
 */
export function waitingKeys({ dkim, records }: DomainDetailFragment): DomainDetailFragment['records'] {
  if (dkim === null) return [];
  const signing = [`${dkim.selector}.`, `${dkim.selector}-ed.`];
  return records.filter(
    ({ purpose, name }) => purpose === 'dkim' && !signing.some((start) => name.startsWith(start)),
  );
}
