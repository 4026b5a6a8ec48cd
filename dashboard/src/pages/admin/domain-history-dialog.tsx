// What the ramp and people decided about a domain of a tenant.

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

/** The dialog: the last twenty decisions. */
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
    <Dialog open onClose={onClose} title={`Warm-up of ${domain.name}`} width="large">
      {rows ? (
        <DataTable
          label="Decisions"
          columns={DECISION_COLUMNS}
          rows={rows}
          rowKey={(one) => `${one.at} ${one.action}`}
          empty={<EmptyState title="Nothing was decided yet" />}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  );
}
