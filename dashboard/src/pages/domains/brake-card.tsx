// The same-day brake of a domain while it is on: why, until when, and the button that releases it.

import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import { ReleaseDomainBrakeDocument, type DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';

/** The card; shown only while the brake is on. */
export function BrakeCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [, release] = useMutation(ReleaseDomainBrakeDocument);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const run = async () => {
    setBusy(true);
    const { error } = await release({ input: { id: domain.id } });
    setBusy(false);
    if (error) toast(errorText(error), 'bad');
    else toast('The brake is released');
  };
  const { state, since, reason } = domain.brake;
  return (
    <Card title={state === 'bulk' ? 'Brake: campaign mail waits' : 'Brake: nearly all mail waits'}>
      <div className="space-y-3">
        <p className="[overflow-wrap:anywhere]">{reason}</p>
        {since === null ? null : (
          <p className="text-muted text-[13px]">
            Since <Time value={since} />. Clean the list before you release it: the test begins again with the
            next message.
          </p>
        )}
        <Button variant="secondary" busy={busy} onClick={() => void run()}>
          Release brake
        </Button>
      </div>
    </Card>
  );
}
