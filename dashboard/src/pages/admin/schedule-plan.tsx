// A plan as a chart and a table, with the forecast of one of the tenant's domains.

import { useState, type ReactNode } from 'react';

import type { SchedulePlanFragment } from '../../gen/pages/admin/schedule.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { formatUtc } from '../../ui/plot-props.ts';
import { Plot } from '../../ui/plot.tsx';
import { Select } from '../../ui/text-input.tsx';

/** A plan in one line: "100,000 recipients, standard, from Nov 21". */
export function planText(plan: SchedulePlanFragment): string {
  const recipients = formatNumber(plan.totalTargetRecipients);
  return `${recipients} recipients, ${plan.rampStrategy}, from ${formatUtc(plan.startDate, 'day')} `;
}

export function SchedulePlanCards({
  plan,
  title,
  actions,
}: {
  plan: SchedulePlanFragment;
  title: string;
  actions: ReactNode;
}): ReactNode {
  const [domain, setDomain] = useState('');
  const chosen = plan.forecast.find((one) => one.domain === domain) ?? plan.forecast[0];
  return (
    <>
      <Card title={title} description={`${planText(plan)}.`} actions={actions}>
        <Plot
          label="Planned sends by day"
          yLabel="messages"
          by="day"
          kind="bars"
          times={plan.days.map(({ date }) => date)}
          series={[{ label: 'Planned', values: plan.days.map(({ plannedSends }) => plannedSends), color: 1 }]}
        />
      </Card>
      <Card
        flush
        title="30 days"
        description={
          chosen
            ? `Forecast for ${chosen.domain}: ${fitText(plan, chosen)}. Assumption: ${chosen.assumption}.`
            : 'The tenant has no verified domain yet, so there is no forecast.'
        }
      >
        {plan.forecast.length > 1 ? (
          <div className="px-5 pb-4 sm:max-w-80">
            <Field label="Forecast for">
              <Select
                value={chosen?.domain ?? ''}
                onChange={(event) => setDomain(event.target.value)}
                options={plan.forecast.map((one) => ({ value: one.domain, label: one.domain }))}
              />
            </Field>
          </div>
        ) : null}
        <DataTable
          label="30 days"
          columns={chosen ? [...COLUMNS, possibleColumn(chosen)] : COLUMNS}
          rows={plan.days}
          rowKey={(day) => day.date}
          empty={<EmptyState title="The plan has no days" />}
        />
      </Card>
    </>
  );
}

type Day = SchedulePlanFragment['days'][number];
type Forecast = SchedulePlanFragment['forecast'][number];

const COLUMNS: readonly Column<Day>[] = [
  { id: 'date', header: 'Day', cell: ({ day, date }) => `${day + 1}, ${formatUtc(date, 'day')}` },
  { id: 'tier', header: 'Tier', align: 'right', cell: ({ tier }) => tier },
  {
    id: 'planned',
    header: 'Planned',
    align: 'right',
    cell: ({ plannedSends }) => <span className="tabular-nums">{formatNumber(plannedSends)}</span>,
  },
  { id: 'kind', header: 'Mail kind', cell: ({ mailKind }) => mailKind },
];

// The day on which the planned volume is possible, and whether that is late.
function possibleColumn({ days }: Forecast): Column<Day> {
  return {
    id: 'possible',
    header: 'Possible',
    cell: ({ day, date }) => {
      const possible = possibleOn(days, day);
      if (possible === null) return <span className="text-bad">not possible</span>;
      if (possible <= date) return <span className="text-good">on time</span>;
      return <span className="text-warn">from {formatUtc(possible, 'day')}, late</span>;
    },
  };
}

function fitText(plan: SchedulePlanFragment, { days }: Forecast): string {
  const late = plan.days.filter(({ day, date }) => {
    const possible = possibleOn(days, day);
    return possible === null || possible > date;
  }).length;
  return late === 0
    ? 'every day is possible on time'
    : `${late} of ${plan.days.length} days are planned too early`;
}

function possibleOn(days: Forecast['days'], day: number): string | null {
  return days.find((one) => one.day === day)?.possibleOn ?? null;
}
