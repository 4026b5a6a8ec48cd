// The webhook deliveries of one message: attempts, last response, next attempt.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import type { InboundDetailFragment } from '../../gen/pages/inbound/inbound-message.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Time } from '../../ui/time.tsx';
import { attemptsText, deliveryStatus } from './delivery-words.ts';
import { ForeignBlock } from './foreign-text.tsx';

type Delivery = InboundDetailFragment['deliveries'][number];

export function InboundDeliveries({ deliveries }: { deliveries: readonly Delivery[] }): ReactNode {
  return (
    <Card title="Webhook delivery" description="Delivery of this message to your endpoint.">
      {deliveries.length === 0 ? (
        <p className="text-muted">
          Not delivered: the webhook was off when the message arrived.{' '}
          <Link href="/inbound/webhook" className="text-accent-strong underline">
            Webhook settings
          </Link>
        </p>
      ) : (
        <ul className="space-y-4">
          {deliveries.map((delivery) => (
            <li key={delivery.id} className="rounded-md border p-3">
              <OneDelivery delivery={delivery} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function OneDelivery({ delivery }: { delivery: Delivery }): ReactNode {
  const { id, attempts, lastStatusCode, lastError, nextAttemptAt } = delivery;
  const { tone, text } = deliveryStatus(delivery);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{text}</Badge>
        <span>{attemptsText(attempts)}</span>
        {lastStatusCode === null ? null : <span>last response {lastStatusCode}</span>}
        {nextAttemptAt === null ? null : (
          <span>
            next attempt <Time value={nextAttemptAt} ahead />
          </span>
        )}
        <span className="text-muted font-mono text-[13px] break-all sm:ml-auto">{id}</span>
      </div>
      {lastError === null ? null : (
        <div className="mt-2">
          <ForeignBlock label="Last response of your endpoint">{lastError}</ForeignBlock>
        </div>
      )}
    </>
  );
}
