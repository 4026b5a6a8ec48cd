// The warm-up history of a tenant's domain.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  TenantDomainHistoryDocument,
  type TenantDomainFragment,
} from '../../gen/pages/admin/tenant-domains.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DECISION_COLUMNS } from '../domains/decision-columns.tsx';

/** The last twenty tier changes. */
export function DomainHistoryDialog({
  tenantId,
  domain,
  onClose,
}: {
  tenantId: string;
  domain: TenantDomainFragment;
  onClose: () => void;
}): ReactNode {
  const [{ data, error }, again] = useQuery({
    query: TenantDomainHistoryDocument,
    variables: { id: tenantId, domain: domain.id },
    requestPolicy: 'network-only',
  });
  const rows = data?.tenant?.domain.warmupHistory.edges.map(({ node }) => node);
  return (
    <Dialog open onClose={onClose} title={`Warm-up history of ${domain.name}`} width="large">
      {rows ? (
        <DataTable
          label="Warm-up history"
          columns={DECISION_COLUMNS}
          rows={rows}
          rowKey={(one) => `${one.at} ${one.action}`}
          empty={<EmptyState title="No changes yet" />}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  );
}
