// Sends a test message to the webhook and shows the result.

import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  TestInboundWebhookDocument,
  type TestInboundWebhookMutation,
} from '../../gen/pages/inbound/webhook.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatNumber } from '../../ui/format-number.ts';

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
      <div role="status">
        {fetching ? (
          <p className="text-muted">Waiting for a response (up to 10 seconds).</p>
        ) : error ? (
          <p className="text-bad">{errorText(error)}</p>
        ) : data ? (
          <Result result={data.testInboundWebhook} />
        ) : (
          <p className="text-muted">The test passes if your endpoint responds with 2xx within 10 seconds.</p>
        )}
      </div>
    </Card>
  );
}

function Result({ result }: { result: TestInboundWebhookMutation['testInboundWebhook'] }): ReactNode {
  const { passed, statusCode, durationMs, error } = result;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'passed' : 'failed'}</Badge>
        <span>{statusCode === null ? 'no response' : `status ${statusCode}`}</span>
        <span className="text-muted">after {formatNumber(durationMs)} ms</span>
      </p>
      {error === null ? null : <p className="text-bad mt-2 [overflow-wrap:anywhere]">{error}</p>}
    </>
  );
}
