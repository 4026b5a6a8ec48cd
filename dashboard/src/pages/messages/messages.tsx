// The list of messages, with filters and live updates.

import { Ban, Mail, RefreshCw, SendHorizontal } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  MessageCountDocument,
  MessagesDocument,
  MessagesUpdatedDocument,
  type MessageRowFragment,
} from '../../gen/pages/messages/messages.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LiveDot } from '../../ui/live-dot.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SelectLoadedBox } from '../../ui/select-box.tsx';
import { Time } from '../../ui/time.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import type { BulkOffer } from '../bulk/bulk-offer.ts';
import { ExportButton } from '../exports/export-button.tsx';
import { instantOf } from '../filters/date-filter.tsx';
import { ListTotal } from '../filters/list-total.tsx';
import { AGE_ORDERS, SortSelect } from '../filters/sort-select.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import { useSort } from '../filters/use-sort.ts';
import { MessageFilters, MESSAGE_FILTERS } from './message-filters.tsx';
import { MESSAGE_STATES, reasonWords } from './waiting-words.ts';

export function MessagesPage(): ReactNode {
  const filters = useFilters(MESSAGE_FILTERS);
  const { to, q, domain, campaign, tag } = filters.values;
  const [since, until] = [instantOf(filters.values.since), instantOf(filters.values.until)];
  const status = oneOf(filters.values.status, MESSAGE_STATES);
  const wanted: Wanted = {
    ...(to && { to }),
    ...(domain && { domain }),
    ...(campaign && { campaignId: campaign }),
    ...(status && { status }),
    ...(q && { q }),
    ...(tag && { tag }),
    ...(since && { since }),
    ...(until && { until }),
  };
  return (
    <>
      <PageHeader
        title="Messages"
        description="All messages with their status."
        actions={
          <ButtonLink href="/send" variant="primary" icon={SendHorizontal}>
            Send a message
          </ButtonLink>
        }
      />
      <Card flush>
        <MessageFilters filters={filters} />
        <LiveMessages key={JSON.stringify(wanted)} wanted={wanted} filtered={filters.any} />
      </Card>
    </>
  );
}

interface Wanted {
  to?: string;
  domain?: string;
  campaignId?: string;
  status?: (typeof MESSAGE_STATES)[number];
  q?: string;
  tag?: string;
  since?: string;
  until?: string;
}

function LiveMessages({ wanted, filtered }: { wanted: Wanted; filtered: boolean }): ReactNode {
  const order = useSort(['newest', 'oldest']);
  const messages = useConnection({
    query: MessagesDocument,
    variables: { ...wanted, ...order.variable },
    pick: (data) => data.messages,
    typename: 'Message',
  });
  const [{ data: counted }, countAgain] = useQuery({ query: MessageCountDocument, variables: wanted });
  const [changed, setChanged] = useState<ReadonlyMap<string, MessageRowFragment>>(new Map());
  const { live } = useLive(MessagesUpdatedDocument, {}, ({ messageUpdated }) =>
    setChanged((old) => new Map(old).set(messageUpdated.id, messageUpdated)),
  );
  // What does not wait cannot be cancelled: boxes come with the filter of those that wait.
  const canSelect = useViewer().canWrite && wanted.status === 'deferred';
  const selection = useSelection(
    '',
    messages.nodes.map(({ id }) => id),
  );
  const shown = new Set(messages.nodes.map(({ id }) => id));
  const fresh = [...changed.values()].filter((message) => !shown.has(message.id) && fits(message, wanted));
  const showFresh = () => {
    setChanged(new Map());
    messages.refresh();
    countAgain({ requestPolicy: 'network-only' });
  };
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center gap-3 border-b px-5 py-1.5">
        <SortSelect sort={order.sort} options={AGE_ORDERS} />
        {canSelect && messages.nodes.length > 0 ? (
          <SelectLoadedBox selection={selection} text="Select all" className="sm:hidden" />
        ) : null}
        <LiveDot live={live} />
        {fresh.length > 0 ? (
          <Button size="small" variant="quiet" icon={RefreshCw} onClick={showFresh}>
            {fresh.length === 1 ? 'Show 1 new message' : `Show ${fresh.length} new messages`}
          </Button>
        ) : null}
        <span className="ml-auto flex items-center gap-3">
          <ListTotal total={counted?.messageCount} one="message" many="messages" />
          <ExportButton kind="messages" filter={restFilter(wanted)} total={counted?.messageCount} />
        </span>
      </div>
      <DataTable
        label="Messages"
        columns={COLUMNS}
        sort={order.sort}
        connection={{ ...messages, nodes: messages.nodes.map((one) => changed.get(one.id) ?? one) }}
        rowKey={(message) => message.id}
        rowHref={(message) => `/messages/${message.id}`}
        select={canSelect ? { selection, rowName: (message) => `the message to ${message.to}` } : undefined}
        empty={<NoMessages filtered={filtered} />}
      />
      <BulkBar
        selection={selection}
        list={{
          noun: { one: 'message', many: 'messages' },
          total: counted?.messageCount,
          hasMore: messages.hasMore,
          filter: restFilter(wanted),
          keys: 'ids',
        }}
        offers={OFFERS}
        onDone={() => {
          selection.clear();
          showFresh();
        }}
      />
    </>
  );
}

const OFFERS: readonly BulkOffer[] = [
  {
    action: 'cancel_messages',
    label: 'Cancel messages',
    icon: Ban,
    title: (what) => `Cancel ${what}`,
    done: 'cancelled',
    text: 'They are never sent, and this cannot be undone. Messages being sent right now still go out.',
    danger: true,
  },
];

function restFilter({ campaignId, ...others }: Wanted): Record<string, unknown> {
  return { ...others, ...(campaignId && { campaign_id: campaignId }) };
}

// Whether a message of a live update belongs to this list.
function fits(message: MessageRowFragment, wanted: Wanted): boolean {
  return (
    (wanted.to === undefined || message.to.toLowerCase().includes(wanted.to.toLowerCase())) &&
    (wanted.domain === undefined || message.domain === wanted.domain) &&
    (wanted.campaignId === undefined || message.campaignId === wanted.campaignId) &&
    (wanted.status === undefined || message.status === wanted.status) &&
    (wanted.q === undefined || hasWords(message.subject, wanted.q)) &&
    (wanted.tag === undefined || hasTag(message, wanted.tag)) &&
    (wanted.since === undefined || Date.parse(message.createdAt) >= Date.parse(wanted.since)) &&
    (wanted.until === undefined || Date.parse(message.createdAt) < Date.parse(wanted.until))
  );
}

function hasWords(subject: string, wanted: string): boolean {
  const words = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const has = new Set(words(subject));
  return words(wanted).every((word) => word === '' || has.has(word));
}

function hasTag({ tags }: MessageRowFragment, wanted: string): boolean {
  return tags.some(({ name, value }) => wanted === name || wanted === `${name}=${value}`);
}

function NoMessages({ filtered }: { filtered: boolean }): ReactNode {
  if (filtered) {
    return (
      <EmptyState icon={Mail} title="No messages match">
        Change or clear the filters. An address may be a part of one, a subject’s words must be whole.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Mail}
      title="No messages yet"
      action={
        <ButtonLink href="/send" variant="primary">
          Send a test message
        </ButtonLink>
      }
    >
      Messages sent through the API, by a campaign or from the dashboard appear here.
    </EmptyState>
  );
}

const COLUMNS: readonly Column<MessageRowFragment>[] = [
  { id: 'to', header: 'To', className: 'sm:max-w-64', cell: (message) => message.to },
  {
    id: 'subject',
    header: 'Subject',
    className: 'sm:max-w-72',
    cell: (message) =>
      message.subject === '' ? (
        <span className="text-muted">(no subject)</span>
      ) : (
        <span className="line-clamp-2 [overflow-wrap:anywhere]">{message.subject}</span>
      ),
  },
  {
    id: 'status',
    header: 'Status',
    cell: (message) => (
      <span className="flex flex-col gap-0.5 max-sm:items-end">
        <span>
          <StatusBadge status={message.status} />
        </span>
        {message.status === 'deferred' && message.deferReason !== null ? (
          <span className="text-muted text-xs">
            {reasonWords(message.deferReason)}
            {message.deferredUntil === null ? null : (
              <>
                {' '}
                (<Time value={message.deferredUntil} ahead />)
              </>
            )}
          </span>
        ) : null}
      </span>
    ),
  },
  {
    id: 'created',
    header: 'Sent',
    sorts: { descending: 'newest', ascending: 'oldest' },
    align: 'right',
    cell: (message) => <Time value={message.createdAt} />,
  },
];

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, MessagesDocument);
