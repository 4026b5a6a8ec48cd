// The same-day brake of a domain: its state, the numbers that put it on, who moved it before, and the button that releases it.

import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';
import { Link } from 'wouter';

import {
  DomainBrakeHistoryDocument,
  ReleaseDomainBrakeDocument,
  type DomainDetailFragment,
} from '../../gen/pages/domains/domain.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { brakeCauses, brakeStatus } from './brake-words.ts';

type Brake = DomainDetailFragment['brake'];

const MOVES: { [action: string]: string } = {
  brake_bulk: 'Campaign mail stopped',
  brake_all: 'Nearly all mail stopped',
  brake_release: 'Released',
};
const SHOWN_MOVES = 5;
const HOLDS = {
  bulk: 'Campaign mail waits until 00:00 UTC, or until the brake is released.',
  all: 'Nearly all mail waits until 00:00 UTC, or until the brake is released. A few messages are sent to test whether it is better.',
};

/** The card of a verified domain. */
export function BrakeCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const { state, since, reason, numbers } = domain.brake;
  const status = brakeStatus(domain);
  const causes = numbers && brakeCauses(domain.name, numbers.measure);
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          Same-day brake <Badge tone={status.tone}>{status.text}</Badge>
        </span>
      }
      actions={state === 'off' ? null : <ReleaseButton domain={domain} />}
    >
      <div className="space-y-4">
        {state === 'off' ? (
          <p className="text-muted">
            {domain.brakeEnabled
              ? 'The brake holds nothing. When too much of today’s mail bounces, is blocked or draws complaints, campaign mail waits until 00:00 UTC.'
              : 'The brake is turned off in Settings. A bad list would be sent in full.'}
          </p>
        ) : (
          <>
            <p>{HOLDS[state]}</p>
            <p className="[overflow-wrap:anywhere]">
              {reason}{' '}
              {causes === null ? null : (
                <Link href={causes.href} className="text-accent-strong underline">
                  {causes.text}
                </Link>
              )}
            </p>
            <Numbers numbers={numbers} since={since} />
            <p className="text-muted text-[13px]">
              Clean the list before you release it: the test begins again with the next message.
            </p>
          </>
        )}
        <Moves id={domain.id} key={since} />
      </div>
    </Card>
  );
}

function Numbers({ numbers, since }: { numbers: Brake['numbers']; since: string | null }): ReactNode {
  if (numbers === null) return null;
  const { attempted, delivered, bounced, unknown, blocked, complained, transactionalOnly } = numbers;
  const part = (value: number, of: number) =>
    `${formatNumber(value)} (${formatPercent(of === 0 ? null : value / of)})`;
  return (
    <DescriptionList
      items={[
        { term: 'Since', value: <Time value={since} exact /> },
        { term: 'Counted', value: transactionalOnly ? 'transactional mail only' : 'all mail of the day' },
        { term: 'Sent', value: formatNumber(attempted) },
        { term: 'Delivered', value: part(delivered, attempted) },
        { term: 'Bounced', value: part(bounced, attempted) },
        { term: 'Of these, no such recipient', value: part(unknown, bounced) },
        { term: 'Blocked', value: part(blocked, attempted) },
        { term: 'Complaints', value: part(complained, delivered) },
      ]}
    />
  );
}

function ReleaseButton({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const { canWrite } = useViewer();
  const [, release] = useMutation(ReleaseDomainBrakeDocument);
  const [asking, setAsking] = useState(false);
  const toast = useToast();
  if (!canWrite) return <span className="text-muted text-[13px]">Owners and members can release it.</span>;
  return (
    <>
      <Button onClick={() => setAsking(true)}>Release brake</Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Release the brake of ${domain.name}?`}
        confirmLabel="Release brake"
        onConfirm={async () => {
          const { error } = await release({ input: { id: domain.id } });
          if (error) return errorText(error);
          toast('The brake is released');
          return null;
        }}
      >
        The mail that waits is sent now. If it goes badly again, the brake comes back within seconds, and
        mailbox providers remember the bounces.
      </ConfirmDialog>
    </>
  );
}

function Moves({ id }: { id: string }): ReactNode {
  const [{ data }] = useQuery({
    query: DomainBrakeHistoryDocument,
    variables: { id },
    requestPolicy: 'cache-and-network',
  });
  const moves = (data?.domain?.warmupHistory.edges ?? [])
    .map(({ node }) => node)
    .filter(({ action }) => action in MOVES)
    .slice(0, SHOWN_MOVES);
  if (moves.length === 0) return null;
  return (
    <div>
      <h3 className="mb-2 font-medium">History</h3>
      <ul className="divide-y border-t" aria-label="History of the brake">
        {moves.map(({ at, action, actor, reason }) => (
          <li key={`${at} ${action}`} className="py-2">
            <span className="flex flex-wrap justify-between gap-x-4">
              <span className="font-medium">{MOVES[action]}</span>
              <span className="text-muted text-[13px]">
                <Time value={at} exact /> by {actor}
              </span>
            </span>
            {reason === '' ? null : (
              <span className="text-muted block text-[13px] [overflow-wrap:anywhere]">{reason}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
