// The domains of a tenant with their warm-up, and buttons to override it.

import { Globe } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  ReleaseTenantBrakeDocument,
  TenantDomainsDocument,
  type TenantDomainFragment,
} from '../../gen/pages/admin/tenant-domains.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { Address } from '../../ui/address.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { useToast } from '../../ui/toast.tsx';
import { BrakeBadge } from '../domains/brake-badge.tsx';
import { DomainHistoryDialog } from './domain-history-dialog.tsx';
import { OverrideDialog } from './override-dialog.tsx';

export function TenantDomainsCard({ tenantId }: { tenantId: string }): ReactNode {
  const [overriding, setOverriding] = useState<TenantDomainFragment | null>(null);
  const [reading, setReading] = useState<TenantDomainFragment | null>(null);
  const [releasing, setReleasing] = useState<TenantDomainFragment | null>(null);
  const [, release] = useMutation(ReleaseTenantBrakeDocument);
  const toast = useToast();
  const domains = useConnection({
    query: TenantDomainsDocument,
    variables: { id: tenantId },
    pick: (data) => data.tenant?.domains,
    typename: 'Domain',
  });
  return (
    <Card flush>
      <DataTable
        label="Domains"
        columns={[...COLUMNS, actionsColumn(setOverriding, setReading, setReleasing)]}
        connection={domains}
        rowKey={(domain) => domain.id}
        empty={<EmptyState icon={Globe} title="This tenant has no domains yet" />}
      />
      {overriding === null ? null : (
        <OverrideDialog
          tenantId={tenantId}
          domain={overriding}
          onClose={() => setOverriding(null)}
          onChanged={domains.refresh}
        />
      )}
      <ConfirmDialog
        open={releasing !== null}
        onClose={() => setReleasing(null)}
        title={`Release the brake of ${releasing?.name ?? ''}?`}
        confirmLabel="Release brake"
        onConfirm={async () => {
          const { error } = await release({ input: { tenantId, domainId: releasing?.id ?? '' } });
          if (error) return errorText(error);
          toast('The brake is released');
          domains.refresh();
          return null;
        }}
      >
        The mail that waits is sent now, up to the cap. If too much of it bounces again, the brake comes back
        within seconds. The tenant’s audit log shows that you released it.
      </ConfirmDialog>
      {reading === null ? null : (
        <DomainHistoryDialog tenantId={tenantId} domain={reading} onClose={() => setReading(null)} />
      )}
    </Card>
  );
}

const COLUMNS: readonly Column<TenantDomainFragment>[] = [
  {
    id: 'name',
    header: 'Domain',
    cell: (domain) => <Address>{domain.name}</Address>,
  },
  { id: 'status', header: 'Status', cell: (domain) => <StatusBadge status={domain.status} /> },
  {
    id: 'tier',
    header: 'Warm-up',
    cell: ({ warmup, ...domain }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 max-sm:justify-end">
        Tier {warmup.tier}
        <StatusBadge status={warmup.state} />
        <BrakeBadge domain={domain} />
        {warmup.pausedReason === null ? null : (
          <span className="text-muted text-[13px] [overflow-wrap:anywhere] max-sm:text-right">
            {warmup.pausedReason}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'today',
    header: 'Used today',
    align: 'right',
    cell: ({ warmup }) => (
      <span className="whitespace-nowrap tabular-nums">
        {formatNumber(warmup.used)} of {formatNumber(warmup.cap)}
        {warmup.waiting > 0 ? (
          <span className="text-muted block text-[13px]">{formatNumber(warmup.waiting)} waiting</span>
        ) : null}
      </span>
    ),
  },
];

function actionsColumn(
  override: (domain: TenantDomainFragment) => void,
  read: (domain: TenantDomainFragment) => void,
  release: (domain: TenantDomainFragment) => void,
): Column<TenantDomainFragment> {
  return {
    id: 'actions',
    header: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (domain) => (
      <span className="inline-flex flex-wrap justify-end gap-2">
        {domain.brake.state === 'off' ? null : (
          <Button size="small" onClick={() => release(domain)} aria-label={`Release brake of ${domain.name}`}>
            Release brake
          </Button>
        )}
        <Button size="small" onClick={() => read(domain)} aria-label={`History of ${domain.name}`}>
          History
        </Button>
        <Button
          size="small"
          onClick={() => override(domain)}
          aria-label={`Override warm-up of ${domain.name}`}
        >
          Override
        </Button>
      </span>
    ),
  };
}
