// Waiting messages by reason, with the time of their next attempt.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import type { OverviewQuery } from '../../gen/pages/overview/overview.ts';
import { Card } from '../../ui/card.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Time } from '../../ui/time.tsx';
import { reasonSentence, reasonWords } from '../messages/waiting-words.ts';

/** Renders nothing when no message waits. */
export function WaitingCard({ waiting }: { waiting: OverviewQuery['overview']['waiting'] }): ReactNode {
  const waits = waiting.filter(({ count }) => count > 0);
  if (waits.length === 0) return null;
  return (
    <Card
      title="Waiting"
      description="These messages are sent automatically later."
      actions={
        <Link
          href="/messages?status=deferred"
          className="text-accent-strong text-[13px] font-medium hover:underline"
        >
          View messages
        </Link>
      }
    >
      <ul className="divide-y">
        {waits.map(({ reason, count, until }) => (
          <li
            key={reason}
            className="grid gap-x-6 gap-y-0.5 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[5rem_1fr_auto]"
          >
            <span className="text-lg leading-tight font-semibold tabular-nums">{formatNumber(count)}</span>
            <span>
              <span className="block font-medium">{reasonWords(reason)}</span>
              <span className="text-muted text-[13px]">{reasonSentence(reason)}</span>
            </span>
            <span className="text-muted text-[13px] sm:text-right">
              {until === null ? (
                'no time set'
              ) : (
                <>
                  next <Time value={until} ahead />
                  <span className="block">
                    <Time value={until} exact />
                  </span>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
