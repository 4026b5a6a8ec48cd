// The list of inbound mail, newest first, with filters. Untrusted content is shown as text.

import { AtSign, Inbox, Paperclip, RefreshCw } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { InboundMessagesDocument, type InboundRowFragment } from '../../gen/pages/inbound/inbound.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/class-names.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import { authSummary } from './auth-words.ts';
import { deliveryStatus } from './delivery-words.ts';
import { ForeignText } from './foreign-text.tsx';
import { INBOUND_FILTERS, InboundFilters } from './inbound-filters.tsx';
import { InboundTabs } from './inbound-tabs.tsx';

export function InboundPage(): ReactNode {
  const filters = useFilters(INBOUND_FILTERS);
  const { q, mailbox } = filters.values;
  const state = oneOf(filters.values.state, ['read', 'unread']);
  const junk = oneOf(filters.values.junk, ['only', 'without']);
  const messages = useConnection({
    query: InboundMessagesDocument,
    variables: {
      ...(q && { q }),
      ...(mailbox && { mailboxId: mailbox }),
      ...(state && { read: state === 'read' }),
      ...(junk && { junk: junk === 'only' }),
    },
    pick: (data) => data.inboundMessages,
    typename: 'InboundMessage',
  });
  return (
    <>
      <PageHeader
        title="Inbox"
        description="Mail received at your domains, newest first. Be careful with links and attachments."
        actions={
          <Button icon={RefreshCw} onClick={messages.refresh}>
            Refresh
          </Button>
        }
      />
      <InboundTabs current="/inbound" />
      <Card flush>
        <InboundFilters filters={filters} />
        <DataTable
          label="Inbound mail"
          columns={COLUMNS}
          connection={messages}
          rowKey={(message) => message.id}
          rowHref={(message) => `/inbound/${message.id}`}
          empty={<NoMail filtered={filters.any} />}
        />
      </Card>
    </>
  );
}

function NoMail({ filtered }: { filtered: boolean }): ReactNode {
  if (filtered) {
    return (
      <EmptyState icon={Inbox} title="No messages match">
        Change or clear the filters. The search matches the beginning of words.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Inbox}
      title="No mail yet"
      action={
        <ButtonLink href="/inbound/mailboxes" icon={AtSign}>
          Set up mailboxes
        </ButtonLink>
      }
    >
      Turn on “Receive mail at this domain” for a verified domain and publish its MX record. Its mail appears
      here.
    </EmptyState>
  );
}

const COLUMNS: readonly Column<InboundRowFragment>[] = [
  {
    id: 'from',
    header: 'From',
    className: 'sm:max-w-56',
    cell: ({ from, envelopeFrom, read }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <span className={read ? 'font-normal' : 'font-semibold'}>
          <ForeignText fallback="no sender" short>
            {from ?? envelopeFrom}
          </ForeignText>
        </span>
        {read ? null : <Badge tone="accent">unread</Badge>}
      </span>
    ),
  },
  {
    id: 'subject',
    header: 'Subject',
    className: 'sm:max-w-72',
    cell: (message) => <Subject message={message} />,
  },
  {
    id: 'to',
    header: 'To',
    className: 'sm:max-w-48',
    cell: ({ recipient }) => (
      <ForeignText fallback="no recipient" short>
        {recipient}
      </ForeignText>
    ),
  },
  {
    id: 'auth',
    header: 'Authentication',
    cell: ({ auth }) => {
      const { tone, text } = authSummary(auth);
      return <Badge tone={tone}>{text}</Badge>;
    },
  },
  { id: 'webhook', header: 'Webhook', cell: ({ deliveries }) => <Deliveries deliveries={deliveries} /> },
  {
    id: 'received',
    header: 'Received',
    align: 'right',
    cell: ({ receivedAt }) => <Time value={receivedAt} />,
  },
];

function Subject({ message }: { message: InboundRowFragment }): ReactNode {
  const { subject, attachments, parseError, read, junk } = message;
  return (
    <span className="flex items-start gap-1.5 max-sm:justify-end">
      <span className={cx('max-sm:text-right', !read && 'font-semibold')}>
        <ForeignText fallback="(no subject)" short>
          {subject}
        </ForeignText>
      </span>
      {attachments.length > 0 ? (
        <Paperclip
          size={14}
          role="img"
          aria-label={attachments.length === 1 ? '1 attachment' : `${attachments.length} attachments`}
          className="text-muted mt-1 shrink-0"
        />
      ) : null}
      {junk ? <Badge tone="warn">junk</Badge> : null}
      {parseError === null ? null : <Badge tone="warn">not fully parsed</Badge>}
    </span>
  );
}

function Deliveries({ deliveries }: { deliveries: InboundRowFragment['deliveries'] }): ReactNode {
  if (deliveries.length === 0) return <span className="text-muted">not delivered</span>;
  return deliveries.map((delivery) => {
    const { tone, text } = deliveryStatus(delivery);
    return (
      <Badge key={delivery.id} tone={tone}>
        {text}
      </Badge>
    );
  });
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, InboundMessagesDocument);
