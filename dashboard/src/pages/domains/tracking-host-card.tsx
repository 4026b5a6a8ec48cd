// The domain's own name for links and pixel: whether new mail uses it, and until when its certificate is valid.

import type { ReactNode } from 'react';

import type { DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { Address } from '../../ui/address.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { Time } from '../../ui/time.tsx';

type Status = DomainDetailFragment['trackingHost']['status'];

const WORDS: Record<Status, string> = {
  off: '',
  not_found: 'Links and the open pixel use our host until the CNAME record is found.',
  waiting_for_certificate:
    'The record was found. Links and the open pixel use our host until there is a certificate.',
  live: 'Links, the open pixel and the unsubscribe page of new mail use this host.',
  lost: 'New mail uses our host. Links over this host in mail that was sent work again once it is back.',
};

/** The card; not shown where tracking hosts are not set up. */
export function TrackingHostCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const { name, status, problem, certificateExpiresAt } = domain.trackingHost;
  if (status === 'off') return null;
  return (
    <Card title="Tracking host" description={WORDS[status]}>
      <DescriptionList
        items={[
          {
            term: 'Host',
            value: (
              <span className="font-mono text-[13px]">
                <Address>{name}</Address>
              </span>
            ),
          },
          { term: 'Status', value: <StatusBadge status={status} /> },
          {
            term: 'Certificate expires',
            value: certificateExpiresAt === null ? '–' : <Time value={certificateExpiresAt} ahead />,
          },
        ]}
      />
      {problem === null ? null : (
        <p className="bg-warn-soft text-warn mt-3 rounded-md px-3 py-2 [overflow-wrap:anywhere]">{problem}</p>
      )}
    </Card>
  );
}
