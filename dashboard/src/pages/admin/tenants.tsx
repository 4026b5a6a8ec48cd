// All tenants of the service, for administrators.

import { BuildingComplex } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';

import { TenantsDocument, type TenantRowFragment } from '../../gen/pages/admin/tenants.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { SuperAdminsOnly } from '../entry/super-admins-only.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../filters/filter-bar.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import { PROBLEM_WORDS, type Problem } from './problem-words.ts';
import { CreateTenantDialog } from './create-tenant-dialog.tsx';

export function TenantsPage(): ReactNode {
  const { isSuperAdmin } = useViewer();
  return isSuperAdmin ? <Tenants /> : <SuperAdminsOnly title="Tenants" />;
}

function Tenants(): ReactNode {
  const filters = useFilters(['name', 'status', 'problem']);
  const { name } = filters.values;
  const status = oneOf(filters.values.status, STATUSES);
  const problem = oneOf(filters.values.problem, PROBLEMS);
  const [creates, setCreates] = useState(false);
  const tenants = useConnection({
    query: TenantsDocument,
    variables: { ...(name && { name }), ...(status && { status }), ...(problem && { problem }) },
    pick: (data) => data.tenants,
    typename: 'Tenant',
  });
  return (
    <>
      <PageHeader
        title="Tenants"
        description="All customer accounts of this service."
        actions={
          <Button variant="primary" onClick={() => setCreates(true)}>
            Create tenant
          </Button>
        }
      />
      {creates ? <CreateTenantDialog onClose={() => setCreates(false)} /> : null}
      <Card flush>
        <FilterBar label="Filter tenants" onClear={filters.any ? filters.clear : undefined}>
          <SearchFilter label="Name" value={name} onChange={(value) => filters.set('name', value)} />
          <SelectFilter
            label="Status"
            all="All statuses"
            value={status ?? ''}
            onChange={(value) => filters.set('status', value)}
            options={STATUSES.map((value) => ({ value, label: value }))}
          />
          <SelectFilter
            label="Problem"
            all="With or without problems"
            value={problem ?? ''}
            onChange={(value) => filters.set('problem', value)}
            options={PROBLEMS.map((value) => ({ value, label: PROBLEM_WORDS[value] }))}
          />
        </FilterBar>
        <DataTable
          label="Tenants"
          columns={COLUMNS}
          connection={tenants}
          rowKey={(tenant) => tenant.id}
          rowHref={(tenant) => `/admin/tenants/${tenant.id}`}
          empty={
            <EmptyState icon={BuildingComplex} title={filters.any ? 'No tenants match' : 'No tenants yet'}>
              {filters.any ? 'Change or clear the filter.' : null}
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

const STATUSES = ['active', 'suspended'] as const;
const PROBLEMS = Object.keys(PROBLEM_WORDS) as Problem[];

const COLUMNS: readonly Column<TenantRowFragment>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (tenant) => <span className="[overflow-wrap:anywhere]">{tenant.name}</span>,
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Badge tone={status === 'suspended' ? 'bad' : 'good'}>{status}</Badge>,
  },
  {
    id: 'problems',
    header: 'Problems',
    cell: ({ problems }) =>
      problems.length === 0 ? (
        <span className="text-muted">–</span>
      ) : (
        <span className="inline-flex flex-wrap gap-1 max-sm:justify-end">
          {problems.map((one) => (
            <Badge key={one} tone="warn">
              {PROBLEM_WORDS[one]}
            </Badge>
          ))}
        </span>
      ),
  },
  { id: 'plan', header: 'Plan', cell: (tenant) => <Badge>{tenant.plan}</Badge> },
  {
    id: 'domains',
    header: 'Domains',
    className: 'sm:max-w-64',
    cell: ({ domains }) => <Names domains={domains} />,
  },
  {
    id: 'used',
    header: 'Accepted this month',
    align: 'right',
    cell: ({ quota }) => (
      <span className="whitespace-nowrap tabular-nums">
        {formatNumber(quota.used)} of {formatNumber(quota.cap)}
      </span>
    ),
  },
  { id: 'since', header: 'Created', align: 'right', cell: (tenant) => <Time value={tenant.createdAt} /> },
];

// The two newest; the tenant's page has them all.
function Names({ domains }: { domains: TenantRowFragment['domains'] }): ReactNode {
  const names = domains.edges.map(({ node }) => node.name);
  if (names.length === 0) return <span className="text-muted">none</span>;
  return (
    <span className="block [overflow-wrap:anywhere] max-sm:text-right">
      {names.join(', ')}
      {domains.pageInfo.hasNextPage ? <span className="text-muted"> and more</span> : null}
    </span>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, TenantsDocument);
