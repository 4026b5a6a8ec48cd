// Sends a test message to the webhook and shows the result.

import { Send } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useMutation } from 'urql';

import { TestInboundWebhookDocument } from '../../gen/pages/inbound/webhook.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TestResult } from './test-result.tsx';

export function WebhookTestCard(): ReactNode {
  const [{ data, error, fetching }, run] = useMutation(TestInboundWebhookDocument);
  return (
    <Card
      title="Test"
      description="Sends one signed test message, even while the webhook is off."
      actions={
        <Button icon={Send} busy={fetching} onClick={() => void run({})}>
          Send test
        </Button>
      }
    >
      <TestResult fetching={fetching} error={error} result={data?.testInboundWebhook} />
    </Card>
  );
}
