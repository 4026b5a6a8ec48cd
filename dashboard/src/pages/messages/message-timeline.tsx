// The timeline of a message, oldest event first.

import type { ReactNode } from 'react';

import type { MessageDetailFragment } from '../../gen/pages/messages/message.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Time } from '../../ui/time.tsx';
import { eventSentence } from '../events/event-words.ts';

export function MessageTimeline({ events }: { events: MessageDetailFragment['events'] }): ReactNode {
  return (
    <Card title="Timeline">
      {events.length === 0 ? (
        <p className="text-muted">No events yet.</p>
      ) : (
        <ol className="border-line ml-1.5 space-y-4 border-l">
          {events.map((event, at) => (
            <li key={at} className="relative pl-5">
              <span
                aria-hidden="true"
                className="bg-line-strong absolute top-2 -left-[4.5px] size-2 rounded-full"
              />
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <StatusBadge status={event.type} />
                <span className="text-muted text-[13px]">
                  <Time value={event.occurredAt} exact />
                </span>
              </div>
              <p className="mt-1 [overflow-wrap:anywhere]">{eventSentence(event.type, event.data)}</p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
