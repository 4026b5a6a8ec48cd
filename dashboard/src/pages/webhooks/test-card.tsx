// Sends a sample of a chosen type of event to the endpoint, and shows its body and the response.

import { Send } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';

import {
  TestWebhookDocument,
  WebhookSamplesDocument,
  type WebhookDetailFragment,
} from '../../gen/pages/webhooks/webhook.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Select } from '../../ui/text-input.tsx';
import { TestResult } from '../inbound/test-result.tsx';
import { prettyJson } from './pretty-json.ts';

export function TestCard({ webhook: { id, format } }: { webhook: WebhookDetailFragment }): ReactNode {
  const { canWrite } = useViewer();
  const [chosen, setChosen] = useState('message.delivered');
  const [samples, execute] = useQuery({ query: WebhookSamplesDocument, variables: { format } });
  const [test, run] = useMutation(TestWebhookDocument);
  const types = samples.data?.webhookEventTypes.filter(({ sample }) => sample !== null);
  const type = types?.find(({ name }) => name === chosen);
  return (
    <Card
      title="Test"
      description="Sends one signed sample, even while the webhook is disabled. It does not appear in the log."
    >
      {types ? (
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <div className="space-y-4">
            <Field label="Event type" hint={type?.description.replaceAll('`', '')}>
              <Select
                value={chosen}
                onChange={(event) => setChosen(event.target.value)}
                options={types.map(({ name }) => ({ value: name, label: name }))}
              />
            </Field>
            {canWrite ? (
              <>
                <Button
                  icon={Send}
                  busy={test.fetching}
                  onClick={() => void run({ input: { id, eventType: chosen } })}
                >
                  Send test
                </Button>
                <TestResult fetching={test.fetching} error={test.error} result={test.data?.testWebhook} />
              </>
            ) : (
              <p className="text-muted">Owners and members of your account can send a test.</p>
            )}
          </div>
          {type?.sample ? (
            <div className="min-w-0">
              <p className="mb-1.5 font-medium">Sample body</p>
              <CodeBlock code={prettyJson(type.sample)} label="sample body" />
            </div>
          ) : null}
        </div>
      ) : samples.error ? (
        <ErrorState error={samples.error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      ) : (
        <div role="status" aria-label="Loading samples">
          <Skeleton className="w-2/5" />
        </div>
      )}
    </Card>
  );
}
