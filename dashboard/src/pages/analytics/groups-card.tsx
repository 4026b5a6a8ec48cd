// The mail of the range told apart: by domain, tag, campaign or mailbox provider. A row narrows the page to it.

import type { ReactNode } from 'react';

import type { AnalyticsQuery } from '../../gen/pages/analytics/analytics.ts';
import { cx } from '../../ui/class-names.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { Select } from '../../ui/text-input.tsx';
import { providerName } from '../providers/provider-names.ts';
import { GROUPS, type AnalyticsFilterState } from './analytics-filters.tsx';

type Analytics = AnalyticsQuery['analytics'];
type Group = NonNullable<Analytics['groups']>[number];
type By = (typeof GROUPS)[number]['value'];

/** The table. */
export function GroupsCard({
  groups,
  by,
  filters,
  limits,
}: {
  groups: readonly Group[];
  by: By;
  filters: AnalyticsFilterState;
  limits: Analytics['limits'];
}): ReactNode {
  const { values } = filters;
  const narrowed = [values.tag, values.campaign, values.provider].some((value) => value !== '');
  const { label } = GROUPS.find(({ value }) => value === by)!;
  return (
    <Card
      flush
      title="Breakdown"
      description="The 50 with the most mail. Choose a row to see its mail alone."
      actions={
        narrowed ? null : (
          <Select
            aria-label="Tell apart"
            value={by}
            onChange={(event) => filters.set('by', event.target.value)}
            options={GROUPS}
          />
        )
      }
    >
      <DataTable
        label={label}
        columns={columnsOf(by, limits)}
        rows={groups}
        rowKey={({ value }) => value}
        rowHref={({ value }) => hrefOf(values, by, value)}
        empty={
          <EmptyState title="No mail to tell apart">
            {by === 'tag'
              ? 'Give messages tags when you send them, and compare them here.'
              : 'Choose other days, or clear the filters.'}
          </EmptyState>
        }
      />
    </Card>
  );
}

function hrefOf(values: AnalyticsFilterState['values'], by: By, value: string): string {
  const query = new URLSearchParams(
    Object.entries({ ...values, [by]: value }).filter(([, one]) => one !== ''),
  );
  return `/analytics?${query}`;
}

function nameOf({ value, label }: Group, by: By): string {
  if (by === 'provider') return providerName(value);
  if (value === 'other' && by !== 'domain') return 'All others';
  return label ?? `deleted ${by}`;
}

function columnsOf(by: By, limits: Analytics['limits']): readonly Column<Group>[] {
  const first = (rate: 'bounces' | 'complaints') =>
    Math.min(...limits.filter((limit) => limit.rate === rate).map(({ value }) => value));
  return [
    {
      id: 'name',
      header: by === 'provider' ? 'Mailbox provider' : by.charAt(0).toUpperCase() + by.slice(1),
      cell: (group) => <span className="[overflow-wrap:anywhere]">{nameOf(group, by)}</span>,
    },
    number('Accepted', ({ accepted }) => formatNumber(accepted)),
    number('Delivered', ({ delivered }) => formatNumber(delivered)),
    {
      id: 'bounces',
      header: 'Bounce rate',
      align: 'right',
      cell: ({ counts }) => <Rate value={counts.bounceRate} limit={first('bounces')} />,
    },
    {
      id: 'complaints',
      header: 'Complaint rate',
      align: 'right',
      cell: ({ counts }) => <Rate value={counts.complaintRate} limit={first('complaints')} />,
    },
    number('Opened', ({ opened, delivered }) => formatPercent(delivered === 0 ? null : opened / delivered)),
    number('Clicked', ({ clicked, delivered }) =>
      formatPercent(delivered === 0 ? null : clicked / delivered),
    ),
  ];
}

function number(header: string, text: (counts: Group['counts']) => string): Column<Group> {
  return { id: header, header, align: 'right', cell: ({ counts }) => text(counts) };
}

function Rate({ value, limit }: { value: number | null; limit: number }): ReactNode {
  const high = value !== null && value >= limit;
  return (
    <span className={cx(high && 'text-bad font-medium')}>
      {formatPercent(value)}
      {high ? <span className="sr-only"> (above the limit)</span> : null}
    </span>
  );
}
