// The plots: volume, bounce rate and complaint rate each on its own scale with its limits, and what people did with the mail.

import type { ReactNode } from 'react';

import type { AnalyticsQuery, AnalyticsTotalsFragment } from '../../gen/pages/analytics/analytics.ts';
import { Card } from '../../ui/card.tsx';
import { formatPercent } from '../../ui/format-number.ts';
import { Plot } from '../../ui/plot.tsx';
import { annotationWords } from './annotation-words.ts';
import type { AnalyticsFilterState } from './analytics-filters.tsx';
import { messagesHref, type LinkedStatus } from './message-links.ts';

type Analytics = AnalyticsQuery['analytics'];

// What a bar of the volume leads to; undefined: the list has no filter for it.
const VOLUME: readonly { label: string; color: 2 | 3 | 4 | 6; status: LinkedStatus | undefined }[] = [
  { label: 'Delivered', color: 2, status: 'delivered' },
  { label: 'Bounced', color: 4, status: 'bounced' },
  { label: 'Waiting now', color: 3, status: 'deferred' },
  { label: 'Expired, dropped or cancelled', color: 6, status: undefined },
];

const volumeOf = ({ delivered, bounced, waiting, expired, dropped, cancelled }: AnalyticsTotalsFragment) => [
  delivered,
  bounced,
  waiting,
  expired + dropped + cancelled,
];

/** All of them. */
export function AnalyticsPlots({
  period,
  annotations,
  limits,
  values,
}: Pick<Analytics, 'period' | 'annotations' | 'limits'> & {
  values: AnalyticsFilterState['values'];
}): ReactNode {
  const { days } = period;
  const times = days.map(({ date }) => date);
  const marks = annotations.flatMap((one) => {
    const at = times.indexOf(one.at.slice(0, 10));
    return at === -1 ? [] : [{ at, label: annotationWords(one) }];
  });
  const hrefTo = (at: number, status: LinkedStatus | undefined) => {
    const day = times[at];
    return day === undefined || status === undefined
      ? null
      : messagesHref(values, { from: day, to: day }, status);
  };
  const common = { by: 'day', times, marks } as const;
  const linesOf = (rate: 'bounces' | 'complaints') =>
    limits
      .filter((limit) => limit.rate === rate)
      .map(({ value, label }) => ({ value, label: `${label} ${formatPercent(value)}` }));
  return (
    <div className="grid gap-6 xl:grid-cols-2">
      <Card
        className="min-w-0 xl:col-span-2"
        title="Volume by day"
        description={
          values.provider === '' ? 'Choose a bar to see its messages.' : 'What this provider answered.'
        }
      >
        <Plot
          {...common}
          label="Volume by day"
          kind="bars"
          stacked
          yLabel="messages"
          height={260}
          series={VOLUME.map(({ label, color }, place) => ({
            label,
            color,
            values: days.map(({ counts }) => volumeOf(counts)[place]!),
          }))}
          hrefOf={(at, place) => hrefTo(at, VOLUME[place]?.status)}
        />
      </Card>
      <Card
        className="min-w-0"
        title="Bounce rate"
        description="Bounced messages as a share of those delivered or bounced."
      >
        <Plot
          {...common}
          label="Bounce rate by day"
          kind="bars"
          unit="percent"
          yLabel="% of finished"
          lines={linesOf('bounces')}
          series={[{ label: 'Bounce rate', color: 4, values: days.map(({ counts }) => counts.bounceRate) }]}
          hrefOf={(at) => hrefTo(at, 'bounced')}
        />
      </Card>
      <Card
        className="min-w-0"
        title="Complaint rate"
        description="Spam reports as a share of delivered messages."
      >
        <Plot
          {...common}
          label="Complaint rate by day"
          kind="bars"
          unit="percent"
          yLabel="% of delivered"
          lines={linesOf('complaints')}
          series={[
            { label: 'Complaint rate', color: 6, values: days.map(({ counts }) => counts.complaintRate) },
          ]}
        />
      </Card>
      <Card
        className="min-w-0 xl:col-span-2"
        title="Opens and clicks"
        description="Messages opened or clicked by a person, as a share of delivered ones. Scanners are not counted."
      >
        <Plot
          {...common}
          label="Open and click rate by day"
          kind="lines"
          unit="percent"
          yLabel="% of delivered"
          series={[
            { label: 'Opened', color: 5, values: days.map(({ counts }) => part(counts.opened, counts)) },
            { label: 'Clicked', color: 1, values: days.map(({ counts }) => part(counts.clicked, counts)) },
          ]}
        />
      </Card>
    </div>
  );
}

function part(value: number, { delivered }: AnalyticsTotalsFragment): number | null {
  return delivered === 0 ? null : value / delivered;
}
