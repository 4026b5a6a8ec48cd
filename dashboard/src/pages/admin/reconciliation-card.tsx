// Our count of a day compared with what each route accepted.

import { Scale } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  TenantReconciliationDocument,
  type TenantReconciliationQuery,
} from '../../gen/pages/admin/reconciliation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextInput } from '../../ui/text-input.tsx';

type Item = NonNullable<TenantReconciliationQuery['tenant']>['reconciliation']['items'][number];

/** Shows today until a date is chosen. */
export function ReconciliationCard({ tenantId }: { tenantId: string }): ReactNode {
  const [date, setDate] = useState('');
  const [{ data, error }, again] = useQuery({
    query: TenantReconciliationDocument,
    variables: { id: tenantId, ...(date && { date }) },
  });
  const report = data?.tenant?.reconciliation;
  return (
    <Card
      flush
      title="Reconciliation by route"
      description="Messages admitted under the cap, the sub-cap of each route, and what its servers accepted. Investigate a difference that persists."
      actions={
        report ? <Badge>{report.enforced ? 'sub-caps enforced' : 'sub-caps not enforced'}</Badge> : undefined
      }
    >
      <div className="px-5 pb-4 sm:max-w-60">
        <Field label="Day (UTC)">
          <TextInput
            type="date"
            value={date || (report?.date ?? '')}
            onChange={(event) => setDate(event.target.value)}
          />
        </Field>
      </div>
      {error ? (
        <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      ) : report ? (
        <DataTable
          label="Reconciliation by route"
          columns={COLUMNS}
          rows={report.items}
          rowKey={(item) => item.esp}
          empty={<EmptyState icon={Scale} title="Nothing was sent on this day" />}
        />
      ) : (
        <div className="p-5">
          <Skeleton className="h-24 w-full" />
        </div>
      )}
    </Card>
  );
}

const figure = (id: keyof Item, header: string): Column<Item> => ({
  id,
  header,
  align: 'right',
  cell: (item) => {
    const value = item[id];
    return <span className="tabular-nums">{typeof value === 'number' ? formatNumber(value) : '–'}</span>;
  },
});

const COLUMNS: readonly Column<Item>[] = [
  { id: 'esp', header: 'Route', cell: ({ esp }) => esp },
  figure('used', 'Admitted'),
  figure('subCap', 'Sub-cap'),
  figure('remaining', 'Remaining'),
  {
    ...figure('overBy', 'Over by'),
    cell: ({ overBy }) =>
      overBy > 0 ? <span className="text-bad tabular-nums">{formatNumber(overBy)}</span> : '0',
  },
  figure('acceptedByEsp', 'Accepted'),
  {
    ...figure('difference', 'Difference'),
    cell: ({ difference }) => (
      <span className={difference === 0 ? 'tabular-nums' : 'text-warn tabular-nums'}>
        {formatNumber(difference)}
      </span>
    ),
  },
];
