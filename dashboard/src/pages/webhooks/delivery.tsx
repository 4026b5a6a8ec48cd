// One delivery: what was posted, each attempt with its response, and replaying it.

import { RotateCcw } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';
import { useParams } from 'wouter';

import {
  ReplayWebhookDeliveryDocument,
  WebhookDeliveryDocument,
  type WebhookDeliveryDetailFragment,
} from '../../gen/pages/webhooks/delivery.ts';
import { errorText } from '../../graphql/error-text.ts';
import { usePoll } from '../../graphql/use-poll.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { Code, CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { AttemptsCard } from './attempts-card.tsx';
import { prettyJson } from './pretty-json.ts';
import { deliveryStatus } from './webhook-words.ts';

const POLL_MS = 2_000; // while an attempt is due

export function WebhookDeliveryPage(): ReactNode {
  const { id = '', delivery: deliveryId = '' } = useParams();
  const [{ data, error }, execute] = useQuery({
    query: WebhookDeliveryDocument,
    variables: { id, deliveryId },
  });
  const again = () => execute({ requestPolicy: 'network-only' });
  const webhook = data?.webhook;
  const delivery = webhook?.delivery;
  usePoll(delivery?.status === 'pending' && webhook?.enabled === true, POLL_MS, again);
  const back = { href: `/webhooks/${id}`, label: webhook?.url ?? 'Webhook' };
  if (delivery) return <Delivery webhookId={id} delivery={delivery} back={back} />;
  return (
    <>
      <PageHeader title="Delivery" back={back} />
      {data ? (
        <EmptyState title="Delivery not found">Deliveries are kept for 30 days.</EmptyState>
      ) : error ? (
        <ErrorState error={error} onRetry={again} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Delivery({
  webhookId,
  delivery,
  back,
}: {
  webhookId: string;
  delivery: WebhookDeliveryDetailFragment;
  back: { href: string; label: string };
}): ReactNode {
  const { canWrite } = useViewer();
  const { tone, text } = deliveryStatus(delivery.status);
  return (
    <>
      <PageHeader
        title={delivery.eventType}
        back={back}
        badge={<Badge tone={tone}>{text}</Badge>}
        description={
          <>
            Created <Time value={delivery.createdAt} />.
            {delivery.nextAttemptAt === null ? null : (
              <>
                {' '}
                Next attempt <Time value={delivery.nextAttemptAt} ahead />.
              </>
            )}
          </>
        }
        actions={canWrite ? <ReplayButton webhookId={webhookId} id={delivery.id} /> : undefined}
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <AttemptsCard delivery={delivery} />
        <Card title="Request">
          <DescriptionList
            items={[
              { term: 'webhook-id', value: <Code>{delivery.eventId}</Code> },
              { term: 'webhook-timestamp', value: 'the time of the attempt, in Unix seconds' },
              { term: 'webhook-signature', value: 'v1,… (computed for each attempt, not stored)' },
              { term: 'content-type', value: <Code>application/json</Code> },
            ]}
          />
          <p className="mt-4 mb-1.5 font-medium">Body</p>
          <CodeBlock code={prettyJson(delivery.requestBody)} label="request body" />
        </Card>
      </div>
    </>
  );
}

function ReplayButton({ webhookId, id }: { webhookId: string; id: string }): ReactNode {
  const [{ fetching }, replay] = useMutation(ReplayWebhookDeliveryDocument);
  const toast = useToast();
  const run = async () => {
    const { error } = await replay({ input: { webhookId, id } });
    if (error) toast(errorText(error), 'bad');
    else toast('Delivery replayed');
  };
  return (
    <Button icon={RotateCcw} busy={fetching} onClick={() => void run()}>
      Replay
    </Button>
  );
}
