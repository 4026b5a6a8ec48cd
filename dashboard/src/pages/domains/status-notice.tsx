// The status of a domain and the next step. Announced when a DNS check changes it.

import type { ReactNode } from 'react';

import type { DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { cx } from '../../ui/class-names.ts';
import { formatNumber } from '../../ui/format-number.ts';
import { shortPurpose } from './domain-words.ts';

/** The notice at the top of a domain's page. */
export function StatusNotice({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const wrong = domain.records.filter(({ required, status }) => required && status !== 'found');
  const fine = domain.status === 'verified' && wrong.length === 0 && domain.warmup.state !== 'paused';
  return (
    <div
      role="status"
      className={cx(
        'rounded-md px-4 py-3 [overflow-wrap:anywhere]',
        fine ? 'bg-good-soft text-good' : 'bg-warn-soft text-warn',
      )}
    >
      <p className="font-medium">{sentence(domain, wrong.length)}</p>
      {domain.status === 'pending' ? (
        <p className="mt-1">
          We check DNS every 15 seconds while this page is open, and every 5 minutes for three days when it is
          not. Owners are told by mail when the domain is verified, if this service is set up to send them
          mail.
        </p>
      ) : null}
      {domain.problem === null ? null : <p className="mt-1">{domain.problem}</p>}
      {wrong.length === 0 || domain.checkedAt === null ? null : (
        <ul className="mt-1.5 list-disc space-y-0.5 pl-5">
          {wrong.map(({ purpose, name, problem }) => (
            <li key={name}>
              {upperFirst(shortPurpose(purpose))}: {problem ?? `not found at ${name}.`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function sentence({ status, checkedAt, verifiedAt, warmup }: DomainDetailFragment, wrong: number): string {
  const these = wrong === 1 ? 'this record is' : 'these records are';
  switch (status) {
    case 'verified':
      if (wrong > 0) return `Sending will stop soon: ${these} missing or wrong in DNS.`;
      if (warmup.state === 'paused')
        return 'Verified, but its warm-up is paused, so nothing is sent. See Warm-up below.';
      return `Verified. Warm-up tier ${warmup.tier}: ${formatNumber(warmup.cap)} messages a day.`;
    case 'failed':
      return verifiedAt === null
        ? 'This domain cannot be verified.'
        : 'Sending from this domain has stopped. Correct its DNS records, then verify it again.';
    case 'pending':
      if (checkedAt === null) return 'This domain is not verified yet. Publish the records below.';
      return wrong === 0
        ? 'All required records were found. Verify the domain again.'
        : `This domain is not verified yet: ${these} missing or wrong in DNS.`;
    default:
      return status satisfies never;
  }
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
