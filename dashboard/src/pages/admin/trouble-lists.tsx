// Webhooks that fail and certificates that expire soon: over all tenants on the home page of operators, and of one tenant on its page.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  TenantTroubleDocument,
  type ExpiringCertificateRowFragment,
  type FailingWebhookRowFragment,
} from '../../gen/pages/admin/health.ts';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';

/** How long before its end a certificate is listed; the api lists those of tracking hosts by the same number. */
export const EXPIRY_DAYS = 21;

/** The webhooks and certificates of one tenant that need attention. */
export function TenantTrouble({ tenantId }: { tenantId: string }): ReactNode {
  const [{ data, error }, again] = useQuery({ query: TenantTroubleDocument, variables: { id: tenantId } });
  if (error && !data)
    return <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />;
  if (!data?.tenant) return <Skeleton className="h-40 w-full" />;
  return (
    <div className="space-y-6">
      <FailingWebhooks rows={data.tenant.failingWebhooks} />
      <ExpiringCertificates rows={data.tenant.expiringCertificates} />
    </div>
  );
}

/** Webhooks that fail: `ofAll` tenants, each with a link to its tenant, or of one. */
export function FailingWebhooks({
  rows,
  ofAll = false,
}: {
  rows: readonly FailingWebhookRowFragment[];
  ofAll?: boolean;
}): ReactNode {
  return (
    <TroubleList
      title="Failing webhooks"
      none="No webhook fails."
      columns={ofAll ? [...WEBHOOKS, TENANT_COLUMN] : WEBHOOKS}
      rows={rows}
      rowKey={({ tenantId, id }) => id ?? tenantId}
      {...(ofAll && { rowHref: failingTab })}
    />
  );
}

/** Certificates of tracking hosts that expire soon: `ofAll` tenants, each with a link to its tenant, or of one. */
export function ExpiringCertificates({
  rows,
  ofAll = false,
}: {
  rows: readonly ExpiringCertificateRowFragment[];
  ofAll?: boolean;
}): ReactNode {
  return (
    <TroubleList
      title="Certificates of tracking hosts"
      none={`No certificate expires within ${EXPIRY_DAYS} days.`}
      columns={ofAll ? [...CERTIFICATES, TENANT_COLUMN] : CERTIFICATES}
      rows={rows}
      rowKey={({ name }) => name}
      {...(ofAll && { rowHref: failingTab })}
    />
  );
}

const failingTab = ({ tenantId }: { tenantId: string }) => `/admin/tenants/${tenantId}?tab=failing`;

/** One list of things that need attention, or the words that there are none. */
export function TroubleList<Row>({
  title,
  none,
  ...table
}: {
  title: string;
  none: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowHref?: (row: Row) => string;
}): ReactNode {
  if (table.rows.length === 0)
    return (
      <Card title={title}>
        <p className="text-muted">{none}</p>
      </Card>
    );
  return (
    <Card title={title} flush>
      <DataTable label={title} {...table} empty={<EmptyState title={none} />} />
    </Card>
  );
}

/** The name of a row's tenant. */
export const TENANT_COLUMN = {
  id: 'tenant',
  header: 'Tenant',
  cell: ({ tenant }: { tenant: string }) => <span className="[overflow-wrap:anywhere]">{tenant}</span>,
};

const WEBHOOKS: readonly Column<FailingWebhookRowFragment>[] = [
  {
    id: 'url',
    header: 'Webhook',
    cell: ({ id, url }) => (
      <span className="[overflow-wrap:anywhere]">
        {url ?? 'without a URL'}
        {id === null ? <span className="text-muted block text-[13px]">inbound mail</span> : null}
      </span>
    ),
  },
  { id: 'since', header: 'Failing since', cell: ({ since }) => <Time value={since} /> },
  {
    id: 'state',
    header: 'Status',
    cell: ({ isOff }) => <Badge tone={isOff ? 'bad' : 'warn'}>{isOff ? 'turned off' : 'failing'}</Badge>,
  },
];

const CERTIFICATES: readonly Column<ExpiringCertificateRowFragment>[] = [
  { id: 'name', header: 'Tracking host', cell: ({ name }) => <Address>{name}</Address> },
  { id: 'expires', header: 'Expires', cell: ({ expiresAt }) => <Time value={expiresAt} exact /> },
  {
    id: 'problem',
    header: 'Last order',
    cell: ({ problem }) => (
      <span className="text-muted text-[13px] [overflow-wrap:anywhere]">{problem ?? 'did not fail'}</span>
    ),
  },
];
