// Who wrote an inbound message to whom, and when. The envelope is what the servers said; the rest is what the sender
// claims.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import type { InboundDetailFragment } from '../../gen/pages/inbound/inbound-message.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { NumberText } from '../../ui/number-text.tsx';
import { Time } from '../../ui/time.tsx';
import { ForeignText } from './foreign-text.tsx';

export function InboundFacts({ message }: { message: InboundDetailFragment }): ReactNode {
  const { to, cc, mailboxId, date } = message;
  const items = [
    { term: 'From', value: <ForeignText fallback="not given">{message.from}</ForeignText> },
    { term: 'To', value: <ForeignText fallback="not given">{to.join(', ')}</ForeignText> },
    ...(cc.length === 0
      ? []
      : [{ term: 'Cc', value: <ForeignText fallback="">{cc.join(', ')}</ForeignText> }]),
    { term: 'Dated', value: <Time value={date} exact fallback="not given" /> },
    { term: 'Received', value: <Time value={message.receivedAt} exact /> },
    {
      term: 'Envelope sender',
      value: (
        <ForeignText fallback="none (a bounce or an automatic answer)">{message.envelopeFrom}</ForeignText>
      ),
    },
    {
      term: 'Received for',
      value: (
        <>
          <ForeignText fallback="nobody">{message.recipient}</ForeignText>{' '}
          {mailboxId === null ? (
            <span className="text-muted">(in no mailbox)</span>
          ) : (
            <Link href={`/inbound?mailbox=${mailboxId}`} className="text-accent-strong underline">
              Open its mailbox
            </Link>
          )}
        </>
      ),
    },
    { term: 'Size', value: <NumberText value={message.sizeBytes} kind="bytes" /> },
    ...(message.autoSubmitted
      ? [{ term: 'Written by', value: <Badge>a machine: do not answer automatically</Badge> }]
      : []),
    {
      term: 'Id',
      value: (
        <span className="inline-flex max-w-full items-center gap-1">
          <span className="min-w-0 font-mono text-[13px] break-all">{message.id}</span>
          <CopyButton value={message.id} name="Copy the id" />
        </span>
      ),
    },
  ];
  return (
    <Card title="Envelope and headers">
      <dl className="space-y-2.5">
        {items.map(({ term, value }) => (
          <div key={term}>
            <dt className="text-muted text-[13px]">{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
