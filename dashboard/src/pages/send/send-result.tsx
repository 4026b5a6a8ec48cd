// The status of the message that was just sent, updated live until it is final.

import { useState, type ReactNode } from 'react';

import { SentTestMessageDocument, type SendTestMessageMutation } from '../../gen/pages/send/send.ts';
import { useLive } from '../../graphql/use-live.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LiveDot } from '../../ui/live-dot.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Time } from '../../ui/time.tsx';
import { MESSAGE_STATES, reasonSentence, STATE_SENTENCES } from '../messages/waiting-words.ts';

type Sent = SendTestMessageMutation['sendMessage'];

export function SendResult({ sent, to }: { sent: Sent; to: string }): ReactNode {
  const [status, setStatus] = useState(sent.status);
  const [waiting, setWaiting] = useState<string | null>(null);
  const { live } = useLive(SentTestMessageDocument, { id: sent.id }, ({ messageUpdated }) => {
    setStatus(messageUpdated.status);
    setWaiting(messageUpdated.waiting);
  });
  const state = MESSAGE_STATES.find((one) => one === status);
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          Message to {to} <StatusBadge status={status} />
        </span>
      }
      actions={
        <ButtonLink href={`/messages/${sent.id}`} size="small">
          View message
        </ButtonLink>
      }
    >
      <p>
        {waiting ?? (state === undefined ? '' : STATE_SENTENCES[state])}
        {sent.reason !== null && status === sent.status ? ` ${reasonSentence(sent.reason)}` : ''}
      </p>
      {sent.deferredUntil !== null && status === 'deferred' ? (
        <p className="mt-1">
          Next attempt <Time value={sent.deferredUntil} ahead />, at <Time value={sent.deferredUntil} exact />
          .
        </p>
      ) : null}
      <p className="text-muted mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-[13px]">
        <LiveDot live={live} />
        <span>
          {sent.domain}: {formatNumber(sent.warmup.used)} of {formatNumber(sent.warmup.cap)} used today, tier{' '}
          {sent.warmup.tier}
        </span>
      </p>
    </Card>
  );
}
