// Analytics: what became of mail over a range of days, beside the days before, with the limits of mailbox providers and what may
// explain a change.

import { ChartColumnStacked } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { AnalyticsDocument, type AnalyticsQueryVariables } from '../../gen/pages/analytics/analytics.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import {
  ANALYTICS_FILTERS,
  AnalyticsFilters,
  dayOf,
  GROUPS,
  rangeOf,
  type AnalyticsFilterState,
} from './analytics-filters.tsx';
import { AnalyticsPlots } from './analytics-plots.tsx';
import { AnnotationsCard } from './annotations-card.tsx';
import { GroupsCard } from './groups-card.tsx';
import { TotalsRow } from './totals-row.tsx';

export function AnalyticsPage(): ReactNode {
  const filters = useFilters(ANALYTICS_FILTERS);
  const variables = variablesOf(filters.values);
  return (
    <>
      <PageHeader
        title="Analytics"
        description="Each message counts on the UTC day on which it was accepted, whenever it was opened or bounced. Up to a minute behind."
      />
      <div className="space-y-6">
        <Card flush>
          <AnalyticsFilters filters={filters} />
        </Card>
        {variables === null ? (
          <EmptyState title="Choose both days">Enter the first and the last day of the range.</EmptyState>
        ) : (
          <Results filters={filters} variables={variables} />
        )}
      </div>
    </>
  );
}

// Null while a custom range is not complete.
function variablesOf(values: AnalyticsFilterState['values']): AnalyticsQueryVariables | null {
  const range = rangeOf(values);
  const [from, to] = [dayOf(values.from), dayOf(values.to)];
  if (range === 'custom' && (from === undefined || to === undefined)) return null;
  return {
    ...(range === 'custom' ? { from: from!, to: to! } : { days: Number(range) }),
    ...(values.domain && { domain: values.domain }),
    ...(values.tag && { tag: values.tag }),
    ...(values.campaign && { campaignId: values.campaign }),
    ...(values.provider && { provider: values.provider }),
    groupBy: groupOf(values),
  };
}

/** What mail is told apart by: domains when it is narrowed to one of the rest. */
function groupOf({ by, tag, campaign, provider }: AnalyticsFilterState['values']) {
  if (tag || campaign || provider) return 'domain';
  return (
    oneOf(
      by,
      GROUPS.map(({ value }) => value),
    ) ?? 'domain'
  );
}

function Results({
  filters,
  variables,
}: {
  filters: AnalyticsFilterState;
  variables: AnalyticsQueryVariables;
}): ReactNode {
  const [{ data, error, stale }, execute] = useQuery({
    query: AnalyticsDocument,
    variables,
    requestPolicy: 'cache-and-network',
  });
  if (error) return <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />;
  if (!data) return <Loading />;
  const { period, previous, groups, annotations, limits } = data.analytics;
  const isEmpty = period.totals.accepted === 0 && previous.totals.accepted === 0;
  if (isEmpty)
    return (
      <Card>
        <EmptyState
          icon={ChartColumnStacked}
          title="No mail in these days"
          action={filters.any ? undefined : <ButtonLink href="/send">Send a message</ButtonLink>}
        >
          {filters.any
            ? 'Choose other days, or clear the filters.'
            : 'Volumes, bounces, complaints and opens are drawn here once you send.'}
        </EmptyState>
      </Card>
    );
  return (
    <div className="space-y-6" aria-busy={stale}>
      <TotalsRow period={period} previous={previous} values={filters.values} />
      <AnalyticsPlots {...{ period, annotations, limits }} values={filters.values} />
      <GroupsCard groups={groups ?? []} by={groupOf(filters.values)} filters={filters} limits={limits} />
      <AnnotationsCard annotations={annotations} />
    </div>
  );
}

function Loading(): ReactNode {
  return (
    <div className="space-y-6">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-72 w-full" />
    </div>
  );
}
