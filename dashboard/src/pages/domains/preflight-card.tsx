// The sender rules of mailbox providers, checked for a domain on request: it takes a few seconds of DNS.

import { ListChecks } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import { DomainPreflightDocument } from '../../gen/pages/domains/domain.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CheckList } from '../preflight/check-list.tsx';

/** The card; it asks when its button is pressed. */
export function PreflightCard({ id }: { id: string }): ReactNode {
  const [asked, setAsked] = useState(false);
  const [{ data, error, fetching }, execute] = useQuery({
    query: DomainPreflightDocument,
    variables: { id },
    pause: !asked,
    requestPolicy: 'network-only',
  });
  const check = () => (asked ? execute() : setAsked(true));
  const found = data?.domain?.preflight;
  return (
    <Card
      title="Sender rules"
      description="What mailbox providers ask of senders, looked up in DNS now."
      actions={
        <Button icon={ListChecks} busy={fetching} onClick={check}>
          Check sender rules
        </Button>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={check} />
      ) : found ? (
        <div className="space-y-3" role="status">
          <p>
            {found.ok ? 'Nothing fails.' : 'Providers may refuse mail of this domain.'} It may send{' '}
            {formatNumber(found.bulkAllowedPerDay)} campaign messages today.
          </p>
          <CheckList checks={found.checks} />
        </div>
      ) : fetching ? (
        <Skeleton className="w-2/3" />
      ) : (
        <p className="text-muted">Not checked yet.</p>
      )}
    </Card>
  );
}
