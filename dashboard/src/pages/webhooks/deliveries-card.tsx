// The log of a webhook's deliveries, with filters, and replaying a range.

import { RefreshCw, RotateCcw, Webhook } from '../../gen/icons.ts';
import { useMemo, useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import { nowMs } from '../../clock.ts';
import {
  WebhookDeliveriesDocument,
  type WebhookDeliveryRowFragment,
} from '../../gen/pages/webhooks/deliveries.ts';
import type { WebhookDetailFragment } from '../../gen/pages/webhooks/webhook.ts';
import { WebhookChoicesDocument } from '../../gen/pages/webhooks/webhooks.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { usePoll } from '../../graphql/use-poll.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Time } from '../../ui/time.tsx';
import { FilterBar, SelectFilter } from '../filters/filter-bar.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import { ForeignText } from '../inbound/foreign-text.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { ReplayProgress } from './replay-progress.tsx';
import { deliveryStatus, STATUS_OPTIONS } from './webhook-words.ts';

const HOUR_MS = 3_600_000;
const AGES: readonly { value: string; label: string; hours: number }[] = [
  { value: 'hour', label: 'Last hour', hours: 1 },
  { value: 'day', label: 'Last 24 hours', hours: 24 },
  { value: 'week', label: 'Last 7 days', hours: 168 },
];
const POLL_MS = 2_000; // while a replay is in progress

export function DeliveriesCard({ webhook }: { webhook: WebhookDetailFragment }): ReactNode {
  const { canWrite } = useViewer();
  const [replaying, setReplaying] = useState(false);
  const filters = useFilters(['status', 'type', 'age']);
  const [{ data: choices }] = useQuery({ query: WebhookChoicesDocument, variables: {} });
  const status = oneOf(
    filters.values.status,
    STATUS_OPTIONS.map(({ value }) => value),
  );
  const types = choices?.webhookEventTypes.map(({ name }) => name) ?? [];
  const eventType = oneOf(filters.values.type, types);
  const age = AGES.find(({ value }) => value === filters.values.age);
  const since = useMemo(() => age && new Date(nowMs() - age.hours * HOUR_MS).toISOString(), [age]);
  const deliveries = useConnection({
    query: WebhookDeliveriesDocument,
    variables: {
      id: webhook.id,
      ...(status && { status }),
      ...(eventType && { eventType }),
      ...(since && { since }),
    },
    pick: (data) => data.webhook?.deliveries,
    typename: 'WebhookDelivery',
  });
  usePoll(webhook.replays.length > 0, POLL_MS, deliveries.refresh);
  return (
    <Card
      flush
      title="Deliveries"
      description="Kept for 30 days"
      actions={
        <>
          {canWrite ? (
            <Button size="small" icon={RotateCcw} onClick={() => setReplaying(true)}>
              Replay a range…
            </Button>
          ) : null}
          <Button size="small" icon={RefreshCw} onClick={deliveries.refresh}>
            Refresh
          </Button>
        </>
      }
    >
      <ReplayProgress replays={webhook.replays} />
      <FilterBar label="Filter deliveries" onClear={filters.any ? filters.clear : undefined}>
        <SelectFilter
          label="Status"
          all="All statuses"
          value={status ?? ''}
          onChange={(value) => filters.set('status', value)}
          options={STATUS_OPTIONS}
        />
        <SelectFilter
          label="Event type"
          all="All event types"
          value={eventType ?? ''}
          onChange={(value) => filters.set('type', value)}
          options={types.map((name) => ({ value: name, label: name }))}
        />
        <SelectFilter
          label="Created"
          all="Any time"
          value={age?.value ?? ''}
          onChange={(value) => filters.set('age', value)}
          options={AGES}
        />
      </FilterBar>
      <DataTable
        label="Deliveries"
        columns={COLUMNS}
        connection={deliveries}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/webhooks/${webhook.id}/deliveries/${id}`}
        empty={
          <EmptyState
            icon={Webhook}
            title={filters.any ? 'No deliveries match' : 'No deliveries yet'}
            action={
              filters.any || !canWrite ? undefined : <ButtonLink href="/send">Send a test message</ButtonLink>
            }
          >
            {filters.any
              ? 'Change or clear the filters.'
              : 'Events of your mail and domains appear here within seconds.'}
          </EmptyState>
        }
      />
      <ReplayDialog webhook={webhook} open={replaying} onClose={() => setReplaying(false)} />
    </Card>
  );
}

const COLUMNS: readonly Column<WebhookDeliveryRowFragment>[] = [
  {
    id: 'type',
    header: 'Event',
    cell: ({ eventType }) => <span className="font-mono text-[13px]">{eventType}</span>,
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, nextAttemptAt }) => {
      const { tone, text } = deliveryStatus(status);
      return (
        <span className="flex flex-col gap-0.5 max-sm:items-end">
          <span>
            <Badge tone={tone}>{text}</Badge>
          </span>
          {status === 'failed' ? (
            <span className="text-muted text-xs">
              next attempt <Time value={nextAttemptAt} ahead />
            </span>
          ) : null}
        </span>
      );
    },
  },
  { id: 'attempts', header: 'Attempts', cell: ({ attempts }) => attempts.length },
  {
    id: 'answer',
    header: 'Last response',
    className: 'sm:max-w-72',
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return (
        <ForeignText fallback="none" short>
          {last?.error ?? last?.statusCode?.toString()}
        </ForeignText>
      );
    },
  },
  { id: 'created', header: 'Created', align: 'right', cell: ({ createdAt }) => <Time value={createdAt} /> },
];
