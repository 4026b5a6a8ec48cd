// The overview: statistics of the last 30 days, waiting messages, and the warm-up of each domain.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  OverviewDocument,
  OverviewDomainsDocument,
  OverviewEventsDocument,
  type OverviewQuery,
} from '../../gen/pages/overview/overview.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { useLive } from '../../graphql/use-live.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Stat } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { ALL_EVENT_TYPES } from '../events/event-words.ts';
import { useGathered } from '../filters/use-debounced.ts';
import { DayPlots, HourPlot } from './delivery-plots.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LiveCounts } from './live-counts.tsx';
import { useFirstSteps } from './use-first-steps.ts';
import { WaitingCard } from './waiting-card.tsx';
import { WarmupCards } from './warmup-cards.tsx';

const GATHER_MS = 4_000;
const TYPES = { types: [...ALL_EVENT_TYPES] };

export function OverviewPage(): ReactNode {
  const [{ data, error }, execute] = useQuery({ query: OverviewDocument, variables: {} });
  const [{ data: domains, error: domainsError }, executeDomains] = useQuery({
    query: OverviewDomainsDocument,
    variables: {},
  });
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({});
  const readAgain = useGathered(() => {
    execute({ requestPolicy: 'network-only' });
    executeDomains({ requestPolicy: 'network-only' });
  }, GATHER_MS);
  const { live } = useLive(OverviewEventsDocument, TYPES, ({ eventAdded: { type } }) => {
    setCounts((old) => ({ ...old, [type]: (old[type] ?? 0) + 1 }));
    readAgain();
  });
  const failed = error ?? domainsError;
  const { ready } = useFirstSteps(); // which would push the page down
  if (!data || !domains || !ready) {
    return failed ? (
      <>
        <PageHeader title="Overview" />
        <ErrorState
          error={failed}
          onRetry={() => {
            execute({ requestPolicy: 'network-only' });
            executeDomains({ requestPolicy: 'network-only' });
          }}
        />
      </>
    ) : (
      <PageSkeleton />
    );
  }
  const list = domains.domains.edges.map(({ node }) => node);
  const fresh = data.overview.totals.sent === 0;
  return (
    <>
      <PageHeader
        title="Overview"
        description="Last 30 days, in UTC days"
        actions={
          <>
            <ButtonLink href="/analytics">Analytics</ButtonLink>
            <ButtonLink href="/send" variant="primary">
              Send a message
            </ButtonLink>
          </>
        }
      />
      <div className="space-y-6">
        <FirstSteps />
        {fresh ? null : (
          <>
            <Totals totals={data.overview.totals} />
            <LiveCounts live={live} counts={counts} />
            <DayPlots days={data.overview.days} />
            <HourPlot hours={data.overview.hours} />
          </>
        )}
        <WaitingCard waiting={data.overview.waiting} />
        <WarmupCards domains={list} onChanged={readAgain} />
      </div>
    </>
  );
}

function Totals({ totals }: { totals: OverviewQuery['overview']['totals'] }): ReactNode {
  const stats = [
    { label: 'Sent', value: totals.sent, hint: 'last 30 days' },
    { label: 'Delivered', value: totals.delivered, hint: `${formatPercent(totals.deliveryRate)} of sent` },
    { label: 'Bounced', value: totals.bounced, hint: `${formatPercent(totals.bounceRate)} of sent` },
    {
      label: 'Complaints',
      value: totals.complained,
      hint: `${formatPercent(totals.complaintRate)} of delivered`,
    },
    { label: 'Opened', value: totals.opened, hint: `${formatPercent(totals.openRate)} of delivered` },
    { label: 'Clicked', value: totals.clicked, hint: `${formatPercent(totals.clickRate)} of delivered` },
  ];
  return (
    <section
      aria-label="Totals, last 30 days"
      className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6"
    >
      {stats.map(({ label, value, hint }) => (
        <Stat key={label} label={label} value={formatNumber(value)} hint={hint} />
      ))}
    </section>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => client.query(OverviewDocument, {}, KNOWN_FIRST);
