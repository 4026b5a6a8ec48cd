// Event webhooks: the endpoints that receive events, and creating one.

import { Plus, RadioTower } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { WebhooksDocument, type WebhookRowFragment } from '../../gen/pages/webhooks/webhooks.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NumberText } from '../../ui/number-text.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { useLinkedDialog } from '../filters/use-linked-dialog.ts';
import { CreateWebhookDialog } from './create-webhook-dialog.tsx';
import { countsText, eventsText, successRate, webhookStatus } from './webhook-words.ts';

export function WebhooksPage(): ReactNode {
  const { canWrite } = useViewer();
  const [creating, setCreating] = useLinkedDialog(canWrite);
  const webhooks = useConnection({
    query: WebhooksDocument,
    pick: (data) => data.webhooks,
    typename: 'Webhook',
  });
  const create = canWrite ? (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      Create webhook
    </Button>
  ) : undefined;
  return (
    <>
      <PageHeader
        title="Event webhooks"
        description="Post events to your endpoints as they happen: deliveries, bounces, opens, domain changes and more."
        actions={webhooks.nodes.length > 0 ? create : undefined}
      />
      <Card flush>
        <DataTable
          label="Webhooks"
          columns={COLUMNS}
          connection={webhooks}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/webhooks/${id}`}
          empty={
            <EmptyState icon={RadioTower} title="No webhooks yet" action={create}>
              {canWrite
                ? 'Create one to let your program know when a message is delivered, bounces or is opened.'
                : 'Ask an owner or member of your account to create one.'}
            </EmptyState>
          }
        />
      </Card>
      <CreateWebhookDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

const COLUMNS: readonly Column<WebhookRowFragment>[] = [
  {
    id: 'url',
    header: 'Endpoint',
    className: 'sm:max-w-96',
    cell: ({ url, description }) => (
      <>
        <span className="[overflow-wrap:anywhere]">{url}</span>
        {description === null ? null : (
          <span className="text-muted block text-[13px] font-normal">{description}</span>
        )}
      </>
    ),
  },
  {
    id: 'events',
    header: 'Events',
    cell: ({ eventTypes }) => <span title={eventTypes.join(', ')}>{eventsText(eventTypes)}</span>,
  },
  { id: 'status', header: 'Status', cell: (webhook) => <Status webhook={webhook} /> },
  {
    id: 'recent',
    header: 'Delivered, last 24 hours',
    align: 'right',
    cell: ({ recentDeliveries }) => (
      <span className="block max-sm:text-right">
        <NumberText value={successRate(recentDeliveries)} kind="percent" />
        <span className="text-muted block text-[13px]">{countsText(recentDeliveries)}</span>
      </span>
    ),
  },
];

function Status({ webhook }: { webhook: WebhookRowFragment }): ReactNode {
  const { disabledReason, failingSince } = webhook;
  const { tone, text } = webhookStatus(webhook);
  return (
    <span className="flex flex-col gap-0.5 max-sm:items-end">
      <span>
        <Badge tone={tone}>{text}</Badge>
      </span>
      <span className="text-muted text-xs">
        {disabledReason === 'gone' ? 'responded 410 Gone' : null}
        {failingSince !== null && disabledReason !== 'gone' ? (
          <>
            first failure <Time value={failingSince} />
          </>
        ) : null}
      </span>
    </span>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, WebhooksDocument);
