// One tenant, for administrators: domains and tiers, what fails, warm-up plan, reconciliation by route, and the dead letters of its
// webhook.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { useParams } from 'wouter';

import { TenantPageDocument, type TenantPageQuery } from '../../gen/pages/admin/tenant.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { SuperAdminsOnly } from '../entry/super-admins-only.tsx';
import { useFilters } from '../filters/use-filters.ts';
import { WebhookDeadLetters } from '../inbound/webhook-dead-letters.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { ReconciliationCard } from './reconciliation-card.tsx';
import { ScheduleTab } from './schedule-tab.tsx';
import { TenantDomainsCard } from './tenant-domains-card.tsx';
import { TenantAuditCard, TenantMessagesCard } from './tenant-records.tsx';
import { TenantStatusButton } from './tenant-status-button.tsx';
import { TenantTrouble } from './trouble-lists.tsx';

const BACK = { href: '/admin/tenants', label: 'Tenants' };

export function TenantPage(): ReactNode {
  const { isSuperAdmin } = useViewer();
  return isSuperAdmin ? <FoundTenant /> : <SuperAdminsOnly title="Tenant" />;
}

function FoundTenant(): ReactNode {
  const id = useParams()['id'] ?? '';
  const [{ data, error }, execute] = useQuery({ query: TenantPageDocument, variables: { id } });
  if (data?.tenant) return <Tenant key={data.tenant.id} tenant={data.tenant} />;
  return (
    <>
      <PageHeader title="Tenant" back={BACK} />
      {error ? (
        <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      ) : data ? (
        <EmptyState title="Tenant not found" />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Tenant({ tenant }: { tenant: NonNullable<TenantPageQuery['tenant']> }): ReactNode {
  const { id, name, plan, status, quota, createdAt } = tenant;
  const [changesPlan, setChangesPlan] = useState(false);
  const filters = useFilters(['tab']);
  return (
    <>
      <PageHeader
        title={name}
        back={BACK}
        badge={
          <>
            <Badge>{plan}</Badge>
            {status === 'suspended' ? <Badge tone="bad">suspended</Badge> : null}
          </>
        }
        actions={
          <>
            <Button onClick={() => setChangesPlan(true)}>Change plan</Button>
            <TenantStatusButton tenant={tenant} />
          </>
        }
        description={
          <>
            {formatNumber(quota.used)} of {formatNumber(quota.cap)} messages accepted this month. Created{' '}
            <Time value={createdAt} exact />.
          </>
        }
      />
      {changesPlan ? <PlanDialog tenant={tenant} onClose={() => setChangesPlan(false)} /> : null}
      <Tabs
        label="About the tenant"
        value={filters.values.tab || 'domains'}
        onChange={(tab) => filters.set('tab', tab)}
        tabs={[
          { id: 'domains', label: 'Domains', content: <TenantDomainsCard tenantId={id} /> },
          { id: 'failing', label: 'Webhooks and certificates', content: <TenantTrouble tenantId={id} /> },
          { id: 'messages', label: 'Messages', content: <TenantMessagesCard tenantId={id} /> },
          { id: 'audit', label: 'Audit log', content: <TenantAuditCard tenantId={id} /> },
          { id: 'plan', label: 'Warm-up plan', content: <ScheduleTab tenantId={id} /> },
          { id: 'routes', label: 'Reconciliation', content: <ReconciliationCard tenantId={id} /> },
          { id: 'letters', label: 'Dead letters', content: <WebhookDeadLetters tenantId={id} /> },
        ]}
      />
    </>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client, { id = '' }) =>
  client.query(TenantPageDocument, { id }, KNOWN_FIRST);
