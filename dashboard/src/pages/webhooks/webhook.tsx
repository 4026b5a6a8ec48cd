// One webhook: whether it works, its deliveries, a test, its settings and secret.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { useParams } from 'wouter';

import { WebhookDocument, type WebhookDetailFragment } from '../../gen/pages/webhooks/webhook.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { usePoll } from '../../graphql/use-poll.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import { DeleteWebhookCard } from './delete-webhook-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { StatusNotice } from './status-notice.tsx';
import { TestCard } from './test-card.tsx';
import { VerifyGuide } from './verify-guide.tsx';
import { WebhookSecretCard } from './secret-card.tsx';
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx';
import { WebhookSettingsCard } from './settings-card.tsx';
import { countsText, webhookStatus } from './webhook-words.ts';

const BACK = { href: '/webhooks', label: 'Event webhooks' };
const TABS = ['deliveries', 'test', 'settings'] as const;
const POLL_MS = 2_000; // while a replay is in progress

export function WebhookPage(): ReactNode {
  const id = useParams()['id'] ?? '';
  const [{ data, error }, execute] = useQuery({ query: WebhookDocument, variables: { id } });
  const again = () => execute({ requestPolicy: 'network-only' });
  const webhook = data?.webhook;
  usePoll((webhook?.replays.length ?? 0) > 0, POLL_MS, again);
  if (webhook) return <Webhook key={webhook.id} webhook={webhook} />;
  return (
    <>
      <PageHeader title="Webhook" back={BACK} />
      {data ? (
        <EmptyState title="Webhook not found">It may have been deleted.</EmptyState>
      ) : error ? (
        <ErrorState error={error} onRetry={again} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Webhook({ webhook }: { webhook: WebhookDetailFragment }): ReactNode {
  const { canWrite } = useViewer();
  const [secret, setSecret] = useState<string | null>(null);
  const filters = useFilters(['tab']);
  const { tone, text } = webhookStatus(webhook);
  return (
    <>
      <PageHeader
        title={webhook.url}
        back={BACK}
        badge={<Badge tone={tone}>{text}</Badge>}
        description={
          <>
            {webhook.description === null ? null : <>{webhook.description}. </>}
            Created <Time value={webhook.createdAt} />. Last 24 hours: {countsText(webhook.recentDeliveries)}.
          </>
        }
      />
      <StatusNotice webhook={webhook} />
      <Tabs
        label="Webhook"
        value={oneOf(filters.values.tab, TABS) ?? 'deliveries'}
        onChange={(tab) => filters.set('tab', tab)}
        tabs={[
          { id: 'deliveries', label: 'Deliveries', content: <DeliveriesCard webhook={webhook} /> },
          {
            id: 'test',
            label: 'Test and verify',
            content: (
              <div className="space-y-6">
                <TestCard webhook={webhook} />
                <VerifyGuide />
              </div>
            ),
          },
          {
            id: 'settings',
            label: 'Settings',
            content: (
              <div className="space-y-6">
                <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[3fr_2fr]">
                  <WebhookSettingsCard webhook={webhook} />
                  <WebhookSecretCard webhook={webhook} onSecret={setSecret} />
                </div>
                {canWrite ? <DeleteWebhookCard webhook={webhook} /> : null}
              </div>
            ),
          },
        ]}
      />
      <WebhookSecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client, { id = '' }) =>
  client.query(WebhookDocument, { id }, KNOWN_FIRST);
