// A domain's warm-up history and its forecast.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { OverviewWarmupDocument, type OverviewWarmupQuery } from '../../gen/pages/overview/overview.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { formatUtc } from '../../ui/plot-props.ts';
import { Plot } from '../../ui/plot.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

type Domain = NonNullable<OverviewWarmupQuery['domain']>;

/** The charts of one domain. */
export function WarmupHistory({ id }: { id: string }): ReactNode {
  const [{ data, error }, execute] = useQuery({ query: OverviewWarmupDocument, variables: { id } });
  if (!data?.domain) {
    if (error) return <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />;
    return <Skeleton className="mt-5 h-56 w-full" />;
  }
  const { warmupDays: days, outlook } = data.domain;
  return (
    <div className="mt-6 grid gap-6 xl:grid-cols-2">
      <div className="min-w-0">
        <h3 className="mb-2 font-medium">Cap, sent and deferred by day</h3>
        <Plot
          label="Cap, sent and deferred by day"
          yLabel="messages"
          by="day"
          kind="lines"
          times={days.map(({ date }) => date)}
          series={[
            { label: 'Cap', values: days.map(({ cap }) => cap), color: 1, dashed: true },
            { label: 'Sent', values: days.map(({ used }) => used), color: 2 },
            { label: 'Deferred', values: days.map(({ deferred }) => deferred), color: 3 },
          ]}
        />
        <h3 className="mt-4 mb-2 font-medium">Tier by day</h3>
        <Plot
          label="Tier by day"
          yLabel="tier"
          by="day"
          kind="lines"
          height={110}
          times={days.map(({ date }) => date)}
          series={[{ label: 'Tier', values: days.map(({ tier }) => tier), color: 6 }]}
        />
      </div>
      <Forecast outlook={outlook} />
    </div>
  );
}

function Forecast({ outlook }: { outlook: Domain['outlook'] }): ReactNode {
  const { days, assumption } = outlook;
  const top = days.find(({ tier }) => tier === 10);
  const last = days.at(-1);
  return (
    <div className="min-w-0">
      <h3 className="mb-2 font-medium">30-day forecast</h3>
      <Plot
        label="Forecast cap"
        yLabel="messages a day"
        by="day"
        kind="lines"
        times={days.map(({ date }) => date)}
        series={[{ label: 'Cap', values: days.map(({ cap }) => cap), color: 1, dashed: true }]}
      />
      <p className="text-muted mt-3 text-[13px]">
        {last === undefined
          ? 'No forecast available.'
          : top === undefined
            ? `Tier ${last.tier} on ${formatUtc(last.date, 'day')}: ${formatNumber(last.cap)} messages a day.`
            : `Reaches tier 10, the highest, on ${formatUtc(top.date, 'day')}.`}{' '}
        Assumption: {assumption}.
      </p>
    </div>
  );
}
