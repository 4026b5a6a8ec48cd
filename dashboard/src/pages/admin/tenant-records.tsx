// What operators read of a tenant: its messages and its audit log. Each opening is noted in the tenant's own log.

import { Mail } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  TenantMessageAttemptsDocument,
  TenantMessagesDocument,
  type TenantMessageRowFragment,
} from '../../gen/pages/admin/tenant-records.ts';
import { TenantAuditLogDocument } from '../../gen/pages/audit/audit.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { Address } from '../../ui/address.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { AuditTable, useAuditFilters } from '../audit/audit-table.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../filters/filter-bar.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import { MessageAttempts } from '../messages/message-attempts.tsx';
import { MESSAGE_STATES, reasonWords } from '../messages/waiting-words.ts';

const NOTED = 'Read-only. The tenant’s audit log shows that you opened this.';

/** The messages of a tenant, without subject and content. */
export function TenantMessagesCard({ tenantId }: { tenantId: string }): ReactNode {
  const [shown, setShown] = useState<TenantMessageRowFragment | null>(null);
  const { values, set, any } = useFilters(['status', 'domain']);
  const { domain } = values;
  const status = oneOf(values.status, MESSAGE_STATES);
  const messages = useConnection({
    query: TenantMessagesDocument,
    variables: { id: tenantId, ...(status && { status }), ...(domain && { domain }) },
    pick: (data) => data.tenant?.messages,
    typename: 'TenantMessage',
  });
  const clear = () => {
    set('status', '');
    set('domain', '');
  };
  return (
    <Card title="Messages" description={NOTED} flush>
      <FilterBar label="Filter messages" onClear={any ? clear : undefined}>
        <SelectFilter
          label="Status"
          all="All statuses"
          value={status ?? ''}
          onChange={(value) => set('status', value)}
          options={MESSAGE_STATES.map((state) => ({ value: state, label: state }))}
        />
        <SearchFilter label="Sending domain" value={domain} onChange={(value) => set('domain', value)} />
      </FilterBar>
      <DataTable
        label="Messages"
        columns={[...COLUMNS, attemptsColumn(setShown)]}
        connection={messages}
        rowKey={(message) => message.id}
        empty={
          <EmptyState icon={Mail} title={any ? 'No messages match' : 'No messages yet'}>
            {any ? 'Change or clear the filters.' : null}
          </EmptyState>
        }
      />
      {shown === null ? null : (
        <AttemptsDialog tenantId={tenantId} message={shown} onClose={() => setShown(null)} />
      )}
    </Card>
  );
}

function AttemptsDialog({
  tenantId,
  message: { id, to },
  onClose,
}: {
  tenantId: string;
  message: TenantMessageRowFragment;
  onClose: () => void;
}): ReactNode {
  const [{ data, error }, again] = useQuery({
    query: TenantMessageAttemptsDocument,
    variables: { id: tenantId, message: id },
    requestPolicy: 'network-only',
  });
  return (
    <Dialog open onClose={onClose} title={`Message to ${to}`} description={NOTED} width="large">
      {data?.tenant ? (
        <MessageAttempts attempts={data.tenant.messageAttempts} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  );
}

function attemptsColumn(show: (message: TenantMessageRowFragment) => void): Column<TenantMessageRowFragment> {
  return {
    id: 'actions',
    header: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (message) => (
      <Button size="small" onClick={() => show(message)} aria-label={`Attempts of ${message.id}`}>
        Attempts
      </Button>
    ),
  };
}

const COLUMNS: readonly Column<TenantMessageRowFragment>[] = [
  { id: 'to', header: 'Recipient', cell: ({ to }) => <Address>{to}</Address> },
  { id: 'from', header: 'From', cell: ({ from }) => <Address>{from}</Address> },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, deferReason, deferredUntil }) => (
      <span className="block max-sm:text-right">
        <StatusBadge status={status} />
        {deferReason === null ? null : (
          <span className="text-muted block text-[13px]">
            {reasonWords(deferReason)}
            {deferredUntil === null ? null : (
              <>
                , next attempt <Time value={deferredUntil} ahead />
              </>
            )}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'id',
    header: 'Id',
    cell: ({ id }) => <span className="text-[13px] [overflow-wrap:anywhere]">{id}</span>,
  },
  { id: 'created', header: 'Accepted', align: 'right', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** The audit log of a tenant. */
export function TenantAuditCard({ tenantId }: { tenantId: string }): ReactNode {
  const { filters, variables } = useAuditFilters();
  const entries = useConnection({
    query: TenantAuditLogDocument,
    variables: { id: tenantId, ...variables },
    pick: (data) => data.tenant?.auditLog,
    typename: 'AuditEntry',
  });
  return (
    <Card title="Audit log" description={NOTED} flush>
      <AuditTable filters={filters} entries={entries} linked={false} />
    </Card>
  );
}
