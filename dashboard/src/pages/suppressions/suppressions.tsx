// Suppressions: addresses that receive no mail, and why.

import { Ban, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';

import {
  SuppressionsDocument,
  type SuppressionRowFragment,
} from '../../gen/pages/suppressions/suppressions.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { Address } from '../../ui/address.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { ExportButton } from '../exports/export-button.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../filters/filter-bar.tsx';
import { ListBar } from '../filters/list-bar.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import { AddSuppressionsDialog } from './add-suppressions-dialog.tsx';
import { RemoveSuppressionDialog } from './remove-suppression-dialog.tsx';
import { SUPPRESSION_REASONS } from './reasons.ts';

const REASONS = SUPPRESSION_REASONS.map(({ value }) => value);

export function SuppressionsPage(): ReactNode {
  const filters = useFilters(['reason', 'email']);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<SuppressionRowFragment | null>(null);
  const reason = oneOf(filters.values.reason, REASONS);
  const { email } = filters.values;
  const suppressions = useConnection({
    query: SuppressionsDocument,
    variables: { ...(reason && { reason }), ...(email && { email }) },
    pick: (data) => data.suppressions,
    typename: 'Suppression',
  });
  return (
    <>
      <PageHeader
        title="Suppressions"
        description="Mail to these addresses is dropped. Hard bounces, complaints and unsubscribes are added automatically."
        actions={
          <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
            Add suppressions
          </Button>
        }
      />
      <Card flush>
        <FilterBar label="Filter suppressions" onClear={filters.any ? filters.clear : undefined}>
          <SearchFilter label="Address" value={email} onChange={(value) => filters.set('email', value)} />
          <SelectFilter
            label="Reason"
            all="All reasons"
            value={reason ?? ''}
            onChange={(value) => filters.set('reason', value)}
            options={SUPPRESSION_REASONS}
          />
        </FilterBar>
        <ListBar>
          <ExportButton kind="suppressions" filter={{ ...(reason && { reason }), ...(email && { email }) }} />
        </ListBar>
        <DataTable
          label="Suppressions"
          columns={[...COLUMNS, removeColumn(setRemoving)]}
          connection={suppressions}
          rowKey={(row) => row.email}
          empty={
            <EmptyState icon={Ban} title={filters.any ? 'No suppressions match' : 'No suppressions yet'}>
              {filters.any
                ? 'Change or clear the filters. Enter the full address.'
                : 'Add addresses that must not receive mail, for example from your previous provider.'}
            </EmptyState>
          }
        />
      </Card>
      <AddSuppressionsDialog open={adding} onClose={() => setAdding(false)} />
      <RemoveSuppressionDialog suppression={removing} onClose={() => setRemoving(null)} />
    </>
  );
}

const COLUMNS: readonly Column<SuppressionRowFragment>[] = [
  {
    id: 'email',
    header: 'Address',
    cell: (row) => <Address>{row.email}</Address>,
  },
  { id: 'reason', header: 'Reason', cell: (row) => <StatusBadge status={row.reason} /> },
  { id: 'since', header: 'Created', cell: (row) => <Time value={row.createdAt} /> },
  {
    id: 'source',
    header: 'Source',
    cell: (row) =>
      row.sourceMessageId === null ? (
        <span className="text-muted">–</span>
      ) : (
        <Link href={`/messages/${row.sourceMessageId}`} className="text-accent-strong hover:underline">
          View message
        </Link>
      ),
  },
];

function removeColumn(remove: (row: SuppressionRowFragment) => void): Column<SuppressionRowFragment> {
  return {
    id: 'actions',
    header: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (row) => (
      <Button size="small" onClick={() => remove(row)} aria-label={`Remove ${row.email}`}>
        Remove
      </Button>
    ),
  };
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, SuppressionsDocument);
