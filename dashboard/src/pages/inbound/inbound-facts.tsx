// The envelope and headers of an inbound message. The envelope is from the SMTP session; headers are what the sender
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
import { scanSummary, symbolList } from './scan-words.ts';

export function InboundFacts({ message }: { message: InboundDetailFragment }): ReactNode {
  const { to, cc, mailboxId, date, scan } = message;
  const verdict = scanSummary(scan);
  const items = [
    { term: 'From', value: <ForeignText fallback="not given">{message.from}</ForeignText> },
    { term: 'To', value: <ForeignText fallback="not given">{to.join(', ')}</ForeignText> },
    ...(cc.length === 0
      ? []
      : [{ term: 'Cc', value: <ForeignText fallback="">{cc.join(', ')}</ForeignText> }]),
    { term: 'Date', value: <Time value={date} exact fallback="not given" /> },
    { term: 'Received', value: <Time value={message.receivedAt} exact /> },
    {
      term: 'Envelope sender',
      value: <ForeignText fallback="none (a bounce or automatic reply)">{message.envelopeFrom}</ForeignText>,
    },
    {
      term: 'Recipient',
      value: (
        <>
          <ForeignText fallback="none">{message.recipient}</ForeignText>{' '}
          {mailboxId === null ? (
            <span className="text-muted">(no mailbox)</span>
          ) : (
            <Link href={`/inbound?mailbox=${mailboxId}`} className="text-accent-strong underline">
              View mailbox
            </Link>
          )}
        </>
      ),
    },
    ...(verdict === null
      ? []
      : [
          {
            term: 'Spam and virus check',
            value: (
              <>
                <Badge tone={verdict.tone}>{verdict.text}</Badge>{' '}
                <span className="text-muted break-words">{symbolList(scan)}</span>
              </>
            ),
          },
        ]),
    { term: 'Size', value: <NumberText value={message.sizeBytes} kind="bytes" /> },
    ...(message.autoSubmitted
      ? [{ term: 'Automatic', value: <Badge>yes: do not reply automatically</Badge> }]
      : []),
    {
      term: 'ID',
      value: (
        <span className="inline-flex max-w-full items-center gap-1">
          <span className="min-w-0 font-mono text-[13px] break-all">{message.id}</span>
          <CopyButton value={message.id} name="Copy message ID" />
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
