// The plan of a tenant's first thirty days: made from a start, a target and a strategy, shown beside the day on which
// each volume will really be possible.

import { CalendarRange } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  GenerateScheduleDocument,
  TenantScheduleDocument,
  type SchedulePlanFragment,
} from '../../gen/pages/admin/schedule.ts';
import { nowMs } from '../../clock.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/number-text.tsx';
import { formatSlot } from '../../ui/plot-props.ts';
import { Plot } from '../../ui/plot.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';

const STRATEGIES = [
  { value: 'standard', label: 'Standard: the cap of each tier' },
  { value: 'conservative', label: 'Conservative: half of it' },
  { value: 'aggressive', label: 'Aggressive: one and a half times' },
] as const;
type Strategy = (typeof STRATEGIES)[number]['value'];
const CHANGED = { additionalTypenames: ['WarmupSchedule'] }; // the query names no type while there is no plan

/** The tab. */
export function ScheduleTab({ tenantId }: { tenantId: string }): ReactNode {
  const [{ data, error }, again] = useQuery({
    query: TenantScheduleDocument,
    variables: { id: tenantId },
    context: CHANGED,
  });
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />;
    return <Skeleton className="h-64 w-full" />;
  }
  const plan = data.tenant?.warmupSchedule ?? null;
  return (
    <div className="space-y-6">
      <Card
        title="Make a plan"
        description={plan ? 'A new plan takes the place of the one below.' : 'Thirty days from the start on.'}
      >
        <PlanForm tenantId={tenantId} plan={plan} />
      </Card>
      {plan ? (
        <Plan plan={plan} />
      ) : (
        <Card>
          <EmptyState icon={CalendarRange} title="There is no plan yet">
            A plan changes no cap: it says what to send on which day, and what that day is good for.
          </EmptyState>
        </Card>
      )}
    </div>
  );
}

function PlanForm({ tenantId, plan }: { tenantId: string; plan: SchedulePlanFragment | null }): ReactNode {
  const [startDate, setStartDate] = useState(() => new Date(nowMs()).toISOString().slice(0, 10));
  const [target, setTarget] = useState(String(plan?.totalTargetRecipients ?? 100_000));
  const [rampStrategy, setStrategy] = useState<Strategy>(plan?.rampStrategy ?? 'standard');
  const form = useMutationForm(
    GenerateScheduleDocument,
    ['startDate', 'totalTargetRecipients', 'rampStrategy'],
    CHANGED,
  );
  const toast = useToast();
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: { tenantId, startDate, totalTargetRecipients: Number(target), rampStrategy } }),
        () => toast('The plan is stored'),
      )}
    >
      <div className="grid gap-5 sm:grid-cols-3">
        <Field label="First day (UTC)" error={form.fieldError('startDate')}>
          <TextInput type="date" value={startDate} onChange={(event) => setStartDate(event.target.value)} />
        </Field>
        <Field label="Recipients in all" error={form.fieldError('totalTargetRecipients')}>
          <TextInput
            type="number"
            inputMode="numeric"
            min={1}
            value={target}
            onChange={(event) => setTarget(event.target.value)}
          />
        </Field>
        <Field label="Strategy" error={form.fieldError('rampStrategy')}>
          <Select
            value={rampStrategy}
            onChange={(event) => setStrategy(event.target.value as Strategy)}
            options={STRATEGIES}
          />
        </Field>
      </div>
      <FormError message={form.error} />
      <Button type="submit" variant="primary" busy={form.running}>
        Make and store the plan
      </Button>
    </form>
  );
}

function Plan({ plan }: { plan: SchedulePlanFragment }): ReactNode {
  const times = plan.days.map(({ date }) => date);
  return (
    <>
      <Card
        title="Planned by day"
        description={`${formatNumber(plan.totalTargetRecipients)} recipients, ${plan.rampStrategy}, from ${formatSlot(plan.startDate, 'day')} on.`}
      >
        <Plot
          label="Planned sends by day"
          by="day"
          kind="bars"
          times={times}
          series={[{ label: 'Planned', values: plan.days.map(({ plannedSends }) => plannedSends), color: 1 }]}
        />
        {plan.forecast.map(({ domain, assumption }) => (
          <p key={domain} className="text-muted mt-3 text-[13px] [overflow-wrap:anywhere]">
            Forecast for {domain}. Assumption: {assumption}.
          </p>
        ))}
      </Card>
      <Card flush title="Thirty days">
        <DataTable
          label="Thirty days"
          columns={[...COLUMNS, ...forecastColumns(plan)]}
          rows={plan.days}
          rowKey={(day) => day.date}
          empty={<EmptyState title="The plan has no days" />}
        />
      </Card>
    </>
  );
}

type Day = SchedulePlanFragment['days'][number];

const COLUMNS: readonly Column<Day>[] = [
  { id: 'date', header: 'Day', cell: ({ day, date }) => `${day + 1}, ${formatSlot(date, 'day')}` },
  { id: 'tier', header: 'Tier', align: 'right', cell: ({ tier }) => tier },
  {
    id: 'planned',
    header: 'Planned',
    align: 'right',
    cell: ({ plannedSends }) => formatNumber(plannedSends),
  },
  { id: 'kind', header: 'For', cell: ({ mailKind }) => mailKind },
];

// One column for each domain: the day on which the planned volume is possible, late ones marked in words.
function forecastColumns(plan: SchedulePlanFragment): Column<Day>[] {
  return plan.forecast.map(({ domain, days }) => ({
    id: `forecast ${domain}`,
    header: `Possible on ${domain}`,
    cell: ({ day, date }) => {
      const possible = days.find((one) => one.day === day)?.possibleOn ?? null;
      if (possible === null) return <span className="text-bad">out of reach</span>;
      if (possible <= date) return 'in time';
      return <span className="text-warn">from {formatSlot(possible, 'day')}, late</span>;
    },
  }));
}
