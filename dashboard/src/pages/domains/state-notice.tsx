// Where a domain stands, what is wrong with it and what to do next; read out when a look at DNS changes it.

import type { ReactNode } from 'react';

import type { DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { cx } from '../../ui/class-names.ts';
import { formatNumber } from '../../ui/number-text.tsx';
import { shortPurpose } from './domain-words.ts';

/** The notice above everything else. */
export function StateNotice({ domain }: { domain: DomainDetailFragment }): ReactNode {
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
      {domain.problem === null ? null : <p className="mt-1">{domain.problem}</p>}
      {wrong.length === 0 || domain.checkedAt === null ? null : (
        <ul className="mt-1.5 list-disc space-y-0.5 pl-5">
          {wrong.map(({ purpose, name, problem }) => (
            <li key={name}>
              {upperFirst(shortPurpose(purpose))}: {problem ?? `not seen yet at ${name}.`}
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
      if (wrong > 0) return `It still sends, but stops soon: ${these} no longer right in DNS.`;
      if (warmup.state === 'paused') return 'Verified. Its warm-up is paused, so nothing is sent: see below.';
      return `Verified. It sends at tier ${warmup.tier} of its warm-up: ${formatNumber(warmup.cap)} messages a day.`;
    case 'failed':
      return verifiedAt === null
        ? 'It cannot be verified.'
        : 'Nothing is sent from it any more. Repair it and verify again.';
    case 'pending':
      if (checkedAt === null) return 'Publish the records below, then press “Verify now”.';
      return wrong === 0
        ? 'All required records are there: verify once more.'
        : `Not verified yet: ${these} not right in DNS.`;
    default:
      return status satisfies never;
  }
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
