// Charts: volume and deliverability by day, events by hour.

import type { ReactNode } from 'react';

import type { OverviewQuery } from '../../gen/pages/overview/overview.ts';
import { Card } from '../../ui/card.tsx';
import { Plot } from '../../ui/plot.tsx';

type Days = OverviewQuery['overview']['days'];
type Hours = OverviewQuery['overview']['hours'];

/** Volume and deliverability by day. */
export function DayPlots({ days }: { days: Days }): ReactNode {
  const times = days.map(({ date }) => date);
  const share = (part: (day: Days[number]) => number) =>
    days.map((day) => {
      const judged = day.delivered + day.bounced;
      return judged === 0 ? null : part(day) / judged;
    });
  return (
    <div className="grid gap-6 xl:grid-cols-2">
      <Card title="Volume by day">
        <Plot
          label="Volume by day"
          yLabel="messages"
          by="day"
          kind="bars"
          stacked
          times={times}
          series={[
            { label: 'Delivered', values: days.map((day) => day.delivered), color: 2 },
            { label: 'Bounced', values: days.map((day) => day.bounced), color: 4 },
            { label: 'Deferred', values: days.map((day) => day.deferred), color: 3 },
          ]}
        />
      </Card>
      <Card title="Deliverability by day">
        <Plot
          label="Deliverability by day"
          yLabel="% of finished"
          by="day"
          kind="lines"
          unit="percent"
          times={times}
          series={[
            { label: 'Delivered', values: share((day) => day.delivered), color: 2 },
            { label: 'Bounced', values: share((day) => day.bounced), color: 4 },
            {
              label: 'Complained',
              values: days.map((day) => (day.delivered === 0 ? null : day.complained / day.delivered)),
              color: 6,
            },
          ]}
        />
      </Card>
    </div>
  );
}

/** Events by hour over the last 48 hours. */
export function HourPlot({ hours }: { hours: Hours }): ReactNode {
  const values = (name: Exclude<keyof Hours[number], 'hour'>) => hours.map((hour) => hour[name]);
  return (
    <Card title="Events by hour" description="The last 48 hours.">
      <Plot
        label="Events by hour"
        yLabel="events"
        by="hour"
        kind="lines"
        times={hours.map(({ hour }) => hour)}
        series={[
          { label: 'Delivered', values: values('delivered'), color: 2 },
          { label: 'Opened', values: values('opened'), color: 5 },
          { label: 'Clicked', values: values('clicked'), color: 1 },
          { label: 'Bounced', values: values('bounced'), color: 4 },
          { label: 'Complained', values: values('complained'), color: 6 },
        ]}
      />
    </Card>
  );
}
