// The webhook deliveries of the latest inbound messages.

import { RefreshCw, Webhook } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { RecentDeliveriesDocument, type RecentDeliveryFragment } from '../../gen/pages/inbound/webhook.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { deliveryStatus } from './delivery-words.ts';
import { ForeignText } from './foreign-text.tsx';

const LATEST = 25;

interface Row {
  message: RecentDeliveryFragment;
  delivery: RecentDeliveryFragment['deliveries'][number];
}

export function WebhookDeliveries(): ReactNode {
  const [{ data, error }, execute] = useQuery({
    query: RecentDeliveriesDocument,
    variables: { first: LATEST },
  });
  const again = () => execute({ requestPolicy: 'network-only' });
  const rows = data?.inboundMessages.edges.flatMap(({ node: message }) =>
    message.deliveries.map((delivery) => ({ message, delivery })),
  );
  return (
    <Card
      flush
      title="Latest deliveries"
      description={`Of the last ${LATEST} messages`}
      actions={
        <Button size="small" icon={RefreshCw} onClick={again}>
          Refresh
        </Button>
      }
    >
      {rows ? (
        <>
          <DataTable
            label="Latest deliveries"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ delivery }) => delivery.id}
            rowHref={({ message }) => `/inbound/${message.id}`}
            empty={
              <EmptyState icon={Webhook} title="No deliveries yet">
                Mail received while the webhook is on appears here.
              </EmptyState>
            }
          />
          {rows.some(({ delivery }) => delivery.state === 'dead') ? <FailedNote /> : null}
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={again} />
      ) : (
        <div role="status" aria-label="Loading deliveries" className="px-5 py-4">
          <Skeleton className="w-2/5" />
        </div>
      )}
    </Card>
  );
}

function FailedNote(): ReactNode {
  return (
    <p className="text-muted border-t px-5 py-3 text-[13px]">
      A delivery fails after 7 attempts, or when your endpoint responds with a 4xx status other than 429. The
      message stays in the inbox, and a super-admin can replay the delivery.
    </p>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'message',
    header: 'Message',
    className: 'sm:max-w-64',
    cell: ({ message }) => (
      <>
        <ForeignText fallback="(no subject)" short>
          {message.subject}
        </ForeignText>
        <span className="text-muted block text-[13px] font-normal">
          <ForeignText fallback="no sender">{message.from ?? message.envelopeFrom}</ForeignText>
        </span>
      </>
    ),
  },
  {
    id: 'state',
    header: 'Status',
    cell: ({ delivery }) => {
      const { tone, text } = deliveryStatus(delivery);
      return (
        <span className="flex flex-col gap-0.5 max-sm:items-end">
          <span>
            <Badge tone={tone}>{text}</Badge>
          </span>
          {delivery.nextAttemptAt === null || delivery.attempts === 0 ? null : (
            <span className="text-muted text-xs">
              next attempt <Time value={delivery.nextAttemptAt} ahead />
            </span>
          )}
        </span>
      );
    },
  },
  { id: 'attempts', header: 'Attempts', cell: ({ delivery }) => delivery.attempts },
  {
    id: 'answer',
    header: 'Last response',
    className: 'sm:max-w-72',
    cell: ({ delivery: { lastStatusCode, lastError } }) => (
      <ForeignText fallback="none" short>
        {lastError ?? lastStatusCode?.toString()}
      </ForeignText>
    ),
  },
  {
    id: 'received',
    header: 'Received',
    align: 'right',
    cell: ({ message }) => <Time value={message.receivedAt} />,
  },
];
