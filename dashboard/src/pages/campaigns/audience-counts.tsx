// Exactly whom a campaign reaches, and who is left out and why.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';

import {
  CampaignAudienceDocument,
  type CampaignAudienceQuery,
} from '../../gen/pages/campaigns/campaign-edit.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The counts as the API gives them. */
export type Counts = NonNullable<CampaignAudienceQuery['campaign']>['audienceCounts'];

const REASONS: Record<string, { label: string; href?: string }> = {
  unsubscribed: { label: 'Unsubscribed contacts', href: '/contacts?status=unsubscribed' },
  suppressed_bounce: { label: 'Suppressed: mail to them bounced', href: '/suppressions?reason=bounce' },
  suppressed_complaint: { label: 'Suppressed: they reported spam', href: '/suppressions?reason=complaint' },
  suppressed_unsubscribe: {
    label: 'Suppressed: they unsubscribed by a link',
    href: '/suppressions?reason=unsubscribe',
  },
  suppressed_manual: { label: 'Suppressed by your account', href: '/suppressions?reason=manual' },
  missing_variable: { label: 'Without a value for a required variable' },
};

/** The counts of a stored campaign, read again whenever it was saved. */
export function AudienceCounts({ id }: { id: string }): ReactNode {
  const [{ data, error }, execute] = useQuery({ query: CampaignAudienceDocument, variables: { id } });
  const counts = data?.campaign?.audienceCounts;
  if (error) return <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />;
  return (
    <div className="bg-subtle rounded-lg px-4 py-3.5" role="status">
      {counts ? <AudienceList counts={counts} /> : <Skeleton className="w-2/3" />}
    </div>
  );
}

/** The sum, and each part of it. */
export function AudienceList({ counts: { total, sendable, leftOut } }: { counts: Counts }): ReactNode {
  if (total === 0) return <p className="font-semibold">There are no contacts in this audience yet</p>;
  return (
    <>
      <p className="font-semibold">
        {formatNumber(sendable)} of {formatNumber(total)} {total === 1 ? 'contact' : 'contacts'} will receive
        this campaign
      </p>
      {leftOut.length === 0 ? (
        <p className="text-muted mt-1 text-[13px]">Nobody is left out.</p>
      ) : (
        <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 text-[13px]" aria-label="Left out">
          {leftOut.map(({ reason, contacts }) => {
            const { label, href } = REASONS[reason] ?? { label: reason.replaceAll('_', ' ') };
            return (
              <div key={reason} className="contents">
                <dt className="text-muted">
                  {href === undefined ? (
                    label
                  ) : (
                    <Link href={href} className="underline underline-offset-2 hover:text-ink">
                      {label}
                    </Link>
                  )}
                </dt>
                <dd className="text-right tabular-nums">−{formatNumber(contacts)}</dd>
              </div>
            );
          })}
        </dl>
      )}
      <p className="text-muted mt-2 text-[13px]">
        An address is one contact, so nobody receives the campaign twice. Invalid addresses were refused when
        contacts were added.
      </p>
    </>
  );
}
