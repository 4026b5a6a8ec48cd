// Events as rows. Event data is not trusted: it is shown as text only.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import type { EventRowFragment } from '../../gen/pages/events/events.ts';
import type { ConnectionState } from '../../graphql/use-connection.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { eventSentence } from './event-words.ts';

/** The events of a connection as a table. */
export function EventTable({
  connection,
  empty,
}: {
  connection: ConnectionState<EventRowFragment>;
  empty: ReactNode;
}): ReactNode {
  return (
    <DataTable
      label="Events"
      columns={COLUMNS}
      connection={connection}
      rowKey={(event) => event.id}
      empty={empty}
    />
  );
}

const COLUMNS: readonly Column<EventRowFragment>[] = [
  {
    id: 'type',
    header: 'Event',
    className: 'sm:w-32 sm:align-top',
    cell: (event) => <StatusBadge status={event.type} />,
  },
  {
    id: 'recipient',
    header: 'Recipient',
    className: 'sm:w-64 sm:align-top',
    cell: (event) => (
      <Link href={`/messages/${event.messageId}`} className="text-accent-strong break-all hover:underline">
        {event.recipient}
      </Link>
    ),
  },
  {
    id: 'what',
    header: 'Description',
    hideLabel: true,
    className: 'sm:align-top',
    cell: (event) => (
      <>
        <span className="line-clamp-3 break-words [overflow-wrap:anywhere]">
          {eventSentence(event.type, event.data)}
        </span>
        <details className="mt-1">
          <summary className="text-muted text-[13px]">Details</summary>
          <pre className="bg-subtle mt-1 max-h-64 overflow-auto rounded-md p-2 font-mono text-xs break-all whitespace-pre-wrap">
            {JSON.stringify(event.data, null, 2)}
          </pre>
        </details>
      </>
    ),
  },
  {
    id: 'when',
    header: 'Time',
    align: 'right',
    className: 'sm:w-36 sm:align-top',
    cell: (event) => <Time value={event.occurredAt} />,
  },
];
