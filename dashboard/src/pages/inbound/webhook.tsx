// The inbound webhook: endpoint URL, signing secret, test and latest deliveries.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import { InboundWebhookDocument } from '../../gen/pages/inbound/webhook.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { WebhookSecretDialog } from '../webhooks/webhook-secret-dialog.tsx';
import { InboundTabs } from './inbound-tabs.tsx';
import { WebhookDeadLetters } from './webhook-dead-letters.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookGuide } from './webhook-guide.tsx';
import { WebhookSecretCard } from './webhook-secret.tsx';
import { WebhookTestCard } from './webhook-test.tsx';
import { WebhookUrlCard } from './webhook-url.tsx';

export function InboundWebhookPage(): ReactNode {
  const { isSuperAdmin, tenant } = useViewer();
  const [secret, setSecret] = useState<string | null>(null);
  const [{ data, error }, execute] = useQuery({ query: InboundWebhookDocument, variables: {} });
  const webhook = data?.inboundWebhook;
  const ready = webhook !== undefined && webhook.webhookUrl !== null;
  return (
    <>
      <PageHeader
        title="Inbound webhook"
        description="Delivers each received message to your endpoint, unchanged and signed."
        badge={ready ? <OnOff enabled={webhook.enabled} /> : undefined}
      />
      <InboundTabs current="/inbound/webhook" />
      {webhook === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
        ) : (
          <PageSkeleton />
        )
      ) : (
        <div className="space-y-6">
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <WebhookUrlCard key={String(webhook.createdAt)} webhook={webhook} onSecret={setSecret} />
            {ready ? (
              <div className="space-y-6">
                <WebhookTestCard />
                <WebhookSecretCard webhook={webhook} onSecret={setSecret} />
              </div>
            ) : null}
          </div>
          <WebhookDeliveries />
          {isSuperAdmin ? <WebhookDeadLetters tenantId={tenant.id} /> : null}
          <WebhookGuide />
        </div>
      )}
      <WebhookSecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function OnOff({ enabled }: { enabled: boolean }): ReactNode {
  return <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'on' : 'off'}</Badge>;
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => client.query(InboundWebhookDocument, {}, KNOWN_FIRST);
