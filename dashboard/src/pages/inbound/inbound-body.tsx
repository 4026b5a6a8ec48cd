// The content of an inbound message: HTML in a sandboxed frame, text, and headers.

import type { ReactNode } from 'react';

import type { InboundDetailFragment } from '../../gen/pages/inbound/inbound-message.ts';
import { Card } from '../../ui/card.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { Tabs } from '../../ui/tabs.tsx';

export function InboundBody({ message }: { message: InboundDetailFragment }): ReactNode {
  const { html, text, headers } = message;
  const tabs = [
    ...(html === null
      ? []
      : [{ id: 'html', label: 'HTML', content: <MailFrame html={html} title="Message as HTML" /> }]),
    { id: 'text', label: 'Text', content: <PlainText text={text} /> },
    { id: 'headers', label: `Headers (${headers.length})`, content: <Headers headers={headers} /> },
  ];
  return (
    <Card title="Message">
      <Tabs label="Parts of the message" tabs={tabs} />
    </Card>
  );
}

/** Foreign text as it stands. */
export function PlainText({ text }: { text: string | null }): ReactNode {
  if (text === null || text.trim() === '') return <p className="text-muted">The message has no text part.</p>;
  return (
    <pre
      tabIndex={0}
      aria-label="Message as text"
      dir="auto"
      className="max-h-[70dvh] overflow-auto font-sans [overflow-wrap:anywhere] whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}

/** Header fields in order. */
export function Headers({ headers }: { headers: readonly { name: string; value: string }[] }): ReactNode {
  if (headers.length === 0) return <p className="text-muted">The headers could not be read.</p>;
  return (
    <dl
      tabIndex={0}
      aria-label="Headers in order"
      className="grid max-h-[70dvh] gap-x-6 overflow-auto font-mono text-[13px] sm:grid-cols-[minmax(6rem,10rem)_1fr] sm:gap-y-1.5"
    >
      {headers.map(({ name, value }, at) => (
        <div key={at} className="contents">
          <dt className="text-muted [overflow-wrap:anywhere]">{name}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere] whitespace-pre-wrap max-sm:mb-2.5">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
