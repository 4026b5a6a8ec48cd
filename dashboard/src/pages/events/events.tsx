// The event feed: new events live, older ones page by page.

import { Activity, Pause, Play } from '../../gen/icons.ts';
import { useMemo, useState, type ReactNode } from 'react';

import { EventAddedDocument, EventsDocument, type EventRowFragment } from '../../gen/pages/events/events.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useLive } from '../../graphql/use-live.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LiveDot } from '../../ui/live-dot.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ExportButton } from '../exports/export-button.tsx';
import { useFilters } from '../filters/use-filters.ts';
import { EventTable } from './event-table.tsx';
import { ALL_EVENT_TYPES, type EventType } from './event-words.ts';
import { TypeFilter } from './type-filter.tsx';

const KEPT_LIVE = 200; // rows; older ones are loaded page by page

export function EventsPage(): ReactNode {
  const filters = useFilters(['types']);
  const chosen = ALL_EVENT_TYPES.filter((type) => filters.values.types.split(',').includes(type));
  const types = chosen.length === 0 ? ALL_EVENT_TYPES : chosen;
  const pick = (next: readonly EventType[]) => filters.set('types', next.join(','));
  return (
    <>
      <PageHeader
        title="Events"
        description="Deliveries, bounces, opens and other events of your mail, newest first. New events appear automatically."
      />
      <TypeFilter chosen={chosen} onChange={pick} />
      <Feed key={types.join()} types={types} filtered={chosen.length > 0} />
    </>
  );
}

// One feed per choice of types: live events belong to the choice.
function Feed({ types, filtered }: { types: readonly EventType[]; filtered: boolean }): ReactNode {
  const [paused, setPaused] = useState(false);
  const [arrived, setArrived] = useState<readonly EventRowFragment[]>([]);
  const [held, setHeld] = useState<readonly EventRowFragment[]>([]);
  const variables = { types: [...types] };
  const history = useConnection({
    query: EventsDocument,
    variables,
    pick: (data) => data.events,
    typename: 'Event',
  });
  const { live } = useLive(EventAddedDocument, variables, ({ eventAdded }) => {
    const add = (old: readonly EventRowFragment[]) => [eventAdded, ...old].slice(0, KEPT_LIVE);
    if (paused) setHeld(add);
    else setArrived(add);
  });
  const toggle = () => {
    if (paused) setArrived((old) => [...held, ...old].slice(0, KEPT_LIVE));
    setHeld([]);
    setPaused(!paused);
  };
  const nodes = useMemo(() => withoutRepeats([...arrived, ...history.nodes]), [arrived, history.nodes]);
  return (
    <Card
      flush
      className="mt-4"
      title={<LiveDot live={live} />}
      actions={
        <>
          <ExportButton kind="events" filter={{ types }} />
          {paused ? <Badge tone="note">{held.length} new</Badge> : null}
          <Button size="small" icon={paused ? Play : Pause} onClick={toggle} aria-pressed={paused}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
        </>
      }
    >
      <EventTable connection={{ ...history, nodes }} empty={<NoEvents filtered={filtered} />} />
    </Card>
  );
}

function NoEvents({ filtered }: { filtered: boolean }): ReactNode {
  return (
    <EmptyState
      icon={Activity}
      title={filtered ? 'No events of these types' : 'No events yet'}
      action={filtered ? undefined : <ButtonLink href="/send">Send a test message</ButtonLink>}
    >
      {filtered
        ? 'Choose more types, or All.'
        : 'Deliveries, bounces, opens and clicks appear here within seconds.'}
    </EmptyState>
  );
}

function withoutRepeats(events: readonly EventRowFragment[]): EventRowFragment[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) =>
  readFirstPage(client, EventsDocument, { types: [...ALL_EVENT_TYPES] });
