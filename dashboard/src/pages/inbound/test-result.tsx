// What came of a test of a webhook. The response is untrusted: it is only shown as text.

import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';

import type { TestInboundWebhookMutation } from '../../gen/pages/inbound/webhook.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { ForeignBlock } from './foreign-text.tsx';

type Result = TestInboundWebhookMutation['testInboundWebhook'];

/** Says how the test goes, and how it went. */
export function TestResult({
  fetching,
  error,
  result,
}: {
  fetching: boolean;
  error: CombinedError | undefined;
  result: Result | undefined;
}): ReactNode {
  return (
    <div role="status">
      {fetching ? (
        <p className="text-muted">Waiting for a response (up to 10 seconds).</p>
      ) : error ? (
        <p className="text-bad">{errorText(error)}</p>
      ) : result ? (
        <Outcome result={result} />
      ) : (
        <p className="text-muted">The test passes if your endpoint responds with 2xx within 10 seconds.</p>
      )}
    </div>
  );
}

function Outcome({ result }: { result: Result }): ReactNode {
  const { passed, statusCode, durationMs, error, responseBody } = result;
  return (
    <div className="space-y-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'passed' : 'failed'}</Badge>
        <span>{statusCode === null ? 'no response' : `status ${statusCode}`}</span>
        <span className="text-muted">after {formatNumber(durationMs)} ms</span>
      </p>
      {error === null ? null : <p className="text-bad [overflow-wrap:anywhere]">{error}</p>}
      {responseBody ? <ForeignBlock label="Response of your endpoint">{responseBody}</ForeignBlock> : null}
    </div>
  );
}
