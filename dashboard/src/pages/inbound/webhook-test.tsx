// A made-up message posted to the webhook, and what came of it.

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
import { formatNumber } from '../../ui/number-text.tsx';

export function WebhookTestCard(): ReactNode {
  const [{ data, error, fetching }, run] = useMutation(TestInboundWebhookDocument);
  return (
    <Card
      title="Test"
      description="Posts a made-up message once, with a good signature, also while the webhook is off."
      actions={
        <Button icon={Send} busy={fetching} onClick={() => void run({})}>
          Send a test
        </Button>
      }
    >
      <div role="status">
        {fetching ? (
          <p className="text-muted">Waiting for your program, 10 seconds at most.</p>
        ) : error ? (
          <p className="text-bad">{errorText(error)}</p>
        ) : data ? (
          <Result result={data.testInboundWebhook} />
        ) : (
          <p className="text-muted">It passes when your program answers 2xx within 10 seconds.</p>
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
        <span>{statusCode === null ? 'no answer' : `answered ${statusCode}`}</span>
        <span className="text-muted">after {formatNumber(durationMs)} ms</span>
      </p>
      {error === null ? null : <p className="text-bad mt-2 [overflow-wrap:anywhere]">{error}</p>}
    </>
  );
}
