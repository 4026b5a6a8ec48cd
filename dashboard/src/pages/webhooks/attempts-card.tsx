// The attempts of a delivery, newest first. Responses are untrusted: they are only shown as text.

import type { ReactNode } from 'react';

import type { WebhookDeliveryDetailFragment } from '../../gen/pages/webhooks/delivery.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Time } from '../../ui/time.tsx';
import { ForeignBlock, ForeignText } from '../inbound/foreign-text.tsx';

type Attempt = WebhookDeliveryDetailFragment['attempts'][number];

export function AttemptsCard({
  delivery: { attempts, status },
}: {
  delivery: WebhookDeliveryDetailFragment;
}): ReactNode {
  return (
    <Card title="Attempts">
      {attempts.length === 0 ? <p className="text-muted">No attempt yet.</p> : null}
      <ol className="space-y-4">
        {attempts
          .map((attempt, at) => (
            <li key={`${attempt.at} ${at}`} className="space-y-2 rounded-md border p-3">
              <OneAttempt attempt={attempt} number={at + 1} />
            </li>
          ))
          .toReversed()}
      </ol>
      {status === 'dead' ? (
        <p className="text-muted mt-4 text-[13px]">
          A delivery fails after 7 attempts, or when your endpoint responds with a 4xx status other than 429.
          Correct your endpoint, then replay it.
        </p>
      ) : null}
    </Card>
  );
}

function OneAttempt({ attempt, number }: { attempt: Attempt; number: number }): ReactNode {
  const { at, statusCode, durationMs, error, responseBody } = attempt;
  const fine = statusCode !== null && statusCode >= 200 && statusCode < 300;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">Attempt {number}</span>
        {statusCode === null ? (
          <Badge tone={error === null ? 'note' : 'bad'}>
            {error === null ? 'in progress' : 'no response'}
          </Badge>
        ) : (
          <Badge tone={fine ? 'good' : 'bad'}>{`status ${statusCode}`}</Badge>
        )}
        {durationMs === null ? null : <span className="text-muted">{formatNumber(durationMs)} ms</span>}
        <span className="text-muted sm:ml-auto">
          <Time value={at} exact />
        </span>
      </p>
      {error === null || responseBody ? null : (
        <p className="text-bad">
          <ForeignText fallback="">{error}</ForeignText>
        </p>
      )}
      {responseBody ? (
        <ForeignBlock label={`Response to attempt ${number}`}>{responseBody}</ForeignBlock>
      ) : null}
    </>
  );
}
