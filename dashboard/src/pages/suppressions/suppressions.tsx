// Suppressions: addresses that receive no mail, or no marketing mail, and why.

import { Ban, MailCheck, Plus } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';

import {
  SuppressionCountDocument,
  SuppressionsDocument,
  type SuppressionRowFragment,
} from '../../gen/pages/suppressions/suppressions.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Address } from '../../ui/address.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SelectLoadedBox } from '../../ui/select-box.tsx';
import { Time } from '../../ui/time.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import type { BulkOffer } from '../bulk/bulk-offer.ts';
import { ExportButton } from '../exports/export-button.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../filters/filter-bar.tsx';
import { ListBar } from '../filters/list-bar.tsx';
import { ListTotal } from '../filters/list-total.tsx';
import { AGE_ORDERS, SortSelect } from '../filters/sort-select.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import { useSort } from '../filters/use-sort.ts';
import { AddSuppressionsDialog } from './add-suppressions-dialog.tsx';
import { RemoveSuppressionDialog } from './remove-suppression-dialog.tsx';
import { SUPPRESSION_REASONS, SUPPRESSION_STREAMS } from './reasons.ts';

const REASONS = SUPPRESSION_REASONS.map(({ value }) => value);

export function SuppressionsPage(): ReactNode {
  const filters = useFilters(['reason', 'email']);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<SuppressionRowFragment | null>(null);
  const reason = oneOf(filters.values.reason, REASONS);
  const { email } = filters.values;
  const order = useSort(['newest', 'oldest']);
  const { canWrite } = useViewer();
  const filter = { ...(reason && { reason }), ...(email && { email }) };
  const suppressions = useConnection({
    query: SuppressionsDocument,
    variables: { ...filter, ...order.variable },
    pick: (data) => data.suppressions,
    typename: 'Suppression',
  });
  const [{ data: counted }, countAgain] = useQuery({
    query: SuppressionCountDocument,
    variables: filter,
    context: SUPPRESSIONS_COUNT,
  });
  const total = counted?.suppressionCount;
  const selection = useSelection(
    JSON.stringify(filter),
    suppressions.nodes.map((row) => row.email),
  );
  const onDone = () => {
    selection.clear();
    suppressions.refresh();
    countAgain({ requestPolicy: 'network-only' });
  };
  return (
    <>
      <PageHeader
        title="Suppressions"
        description="Mail to these addresses is dropped: all of it, or marketing mail only. Hard bounces, complaints and unsubscribes are added automatically."
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
          <SortSelect sort={order.sort} options={AGE_ORDERS} />
          {canWrite && suppressions.nodes.length > 0 ? (
            <SelectLoadedBox selection={selection} text="Select all" className="mr-auto sm:hidden" />
          ) : null}
          <ListTotal total={total} one="address" many="addresses" />
          <ExportButton kind="suppressions" filter={filter} total={total} />
        </ListBar>
        <DataTable
          label="Suppressions"
          columns={[...COLUMNS, removeColumn(setRemoving)]}
          connection={suppressions}
          sort={order.sort}
          rowKey={(row) => row.email}
          select={canWrite ? { selection, rowName: (row) => row.email } : undefined}
          empty={
            <EmptyState icon={Ban} title={filters.any ? 'No suppressions match' : 'No suppressions yet'}>
              {filters.any
                ? 'Change or clear the filters. Enter the full address.'
                : 'Add addresses that must not receive mail, for example from your previous provider.'}
            </EmptyState>
          }
        />
        <BulkBar
          selection={selection}
          list={{
            noun: { one: 'suppression', many: 'suppressions' },
            total,
            hasMore: suppressions.hasMore,
            filter,
            keys: 'emails',
          }}
          offers={OFFERS}
          onDone={onDone}
        />
      </Card>
      <AddSuppressionsDialog open={adding} onClose={() => setAdding(false)} />
      <RemoveSuppressionDialog suppression={removing} onClose={() => setRemoving(null)} />
    </>
  );
}

const SUPPRESSIONS_COUNT = { additionalTypenames: ['Suppression'] };

const OFFERS: readonly BulkOffer[] = [
  {
    action: 'lift_suppressions',
    label: 'Remove',
    icon: MailCheck,
    title: (what) => `Remove ${what}`,
    done: 'removed',
    text: 'Mail to these addresses will be sent again; mailboxes that still do not exist bounce again and harm your reputation. Complaints and unsubscribes are left: remove those one by one.',
    danger: true,
  },
];

const COLUMNS: readonly Column<SuppressionRowFragment>[] = [
  {
    id: 'email',
    header: 'Address',
    cell: (row) => <Address>{row.email}</Address>,
  },
  { id: 'reason', header: 'Reason', cell: (row) => <StatusBadge status={row.reason} /> },
  {
    id: 'stream',
    header: 'Stops',
    cell: (row) => SUPPRESSION_STREAMS.find(({ value }) => value === row.stream)?.label,
  },
  {
    id: 'since',
    header: 'Created',
    sorts: { descending: 'newest', ascending: 'oldest' },
    cell: (row) => <Time value={row.createdAt} />,
  },
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
