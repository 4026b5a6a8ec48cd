// The home page of operators: what needs attention over all tenants. Each line links to the page where an operator can act.

import { RefreshCw } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';

import { nowMs } from '../../clock.ts';
import { ServiceHealthDocument, type ServiceHealthQuery } from '../../gen/pages/admin/health.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { SuperAdminsOnly } from '../entry/super-admins-only.tsx';
import { reasonWords } from '../messages/waiting-words.ts';
import { jobStatus } from './job-words.ts';
import { PROBLEM_WORDS } from './problem-words.ts';
import {
  ExpiringCertificates,
  EXPIRY_DAYS,
  FailingWebhooks,
  TENANT_COLUMN,
  TroubleList,
} from './trouble-lists.tsx';

type Health = ServiceHealthQuery['serviceHealth'];
type Domain = Health['domains'][number];
type Waiting = Health['waiting'][number];

const TITLE = 'Service health';
const DAY_MS = 86_400_000;

export function HealthPage(): ReactNode {
  const { isSuperAdmin } = useViewer();
  return isSuperAdmin ? <ServiceHealth /> : <SuperAdminsOnly title={TITLE} />;
}

function ServiceHealth(): ReactNode {
  const [{ data, error, fetching }, execute] = useQuery({ query: ServiceHealthDocument, variables: {} });
  const again = () => execute({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHeader
        title={TITLE}
        description="What needs attention over all tenants. Each list has its first 50 lines."
        actions={
          <Button icon={RefreshCw} busy={fetching} onClick={again}>
            Refresh
          </Button>
        }
      />
      {data ? (
        <Sections data={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={again} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Sections({ data }: { data: ServiceHealthQuery }): ReactNode {
  const { domains, waiting, webhooks, certificates } = data.serviceHealth;
  return (
    <div className="space-y-6">
      <ServiceCard data={data} />
      <TroubleList
        title="Domains"
        none="No domain is paused, braked, failing DNS or over 2 % bounces."
        columns={DOMAINS}
        rows={domains}
        rowKey={({ domainId, problem }) => `${domainId} ${problem}`}
        rowHref={({ tenantId }) => `/admin/tenants/${tenantId}`}
      />
      <TroubleList
        title="Waiting mail"
        none="No mail waits."
        columns={WAITING}
        rows={waiting}
        rowKey={({ tenantId, domain, reason }) => `${tenantId} ${domain} ${reason}`}
        rowHref={({ tenantId, domain, reason }) =>
          `/admin/tenants/${tenantId}?tab=messages&status=${reason === 'queued' ? 'queued' : 'deferred'}&domain=${domain}`
        }
      />
      <FailingWebhooks rows={webhooks} ofAll />
      <ExpiringCertificates rows={certificates} ofAll />
    </div>
  );
}

// The service itself: stores, late jobs, its own mail and certificate.
function ServiceCard({ data }: { data: ServiceHealthQuery }): ReactNode {
  const { stores, certificateExpiresAt } = data.serviceHealth;
  const late = data.jobs.filter(({ openSlot }) => jobStatus(openSlot, nowMs()) === 'late');
  const soon = Date.parse(certificateExpiresAt) - nowMs() < EXPIRY_DAYS * DAY_MS;
  return (
    <Card title="Service">
      <ul className="space-y-2">
        <Line name="Stores and senders" good={stores.every(({ isReady }) => isReady)}>
          {stores.map(({ name, isReady }) => `${name} ${isReady ? 'ready' : 'unavailable'}`).join(', ')}
        </Line>
        <Line name="Jobs" good={late.length === 0}>
          {late.length === 0 ? (
            'on time'
          ) : (
            <Link href="/admin/jobs" className="text-accent-strong hover:underline">
              late: {late.map(({ name }) => name).join(', ')}
            </Link>
          )}
        </Line>
        <Line name="System mail" good={data.systemMailWaiting === 0}>
          {data.systemMailWaiting === 0 ? (
            'none waits'
          ) : (
            <Link href="/admin/jobs" className="text-accent-strong hover:underline">
              {formatNumber(data.systemMailWaiting)} waiting (password resets, notices, invitations)
            </Link>
          )}
        </Line>
        <Line name="Certificate of HTTPS and submission" good={!soon}>
          expires <Time value={certificateExpiresAt} exact />
        </Line>
      </ul>
    </Card>
  );
}

function Line({ name, good, children }: { name: string; good: boolean; children: ReactNode }): ReactNode {
  return (
    <li className="flex flex-wrap items-baseline gap-x-2">
      <Badge tone={good ? 'good' : 'bad'}>{good ? 'ok' : 'check'}</Badge>
      <span className="font-medium">{name}</span>
      <span className="text-muted [overflow-wrap:anywhere]">{children}</span>
    </li>
  );
}

const DOMAINS: readonly Column<Domain>[] = [
  { id: 'domain', header: 'Domain', cell: ({ domain }) => <Address>{domain}</Address> },
  {
    id: 'problem',
    header: 'Problem',
    cell: ({ problem }) => (
      <Badge tone={problem === 'high_bounces' ? 'warn' : 'bad'}>{PROBLEM_WORDS[problem]}</Badge>
    ),
  },
  TENANT_COLUMN,
  {
    id: 'since',
    header: 'Since',
    cell: ({ since }) => (since === null ? <span className="text-muted">–</span> : <Time value={since} />),
  },
  {
    id: 'detail',
    header: 'Reason',
    className: 'sm:max-w-80',
    cell: ({ reason, bounceRate }) => (
      <span className="text-muted text-[13px] [overflow-wrap:anywhere]">
        {bounceRate === null ? (reason ?? '–') : `${formatPercent(bounceRate)} bounced since yesterday`}
      </span>
    ),
  },
];

const WAITING: readonly Column<Waiting>[] = [
  { id: 'domain', header: 'Domain', cell: ({ domain }) => <Address>{domain}</Address> },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ reason }) => (reason === 'queued' ? 'No sender has claimed it' : reasonWords(reason)),
  },
  TENANT_COLUMN,
  { id: 'oldest', header: 'Oldest message', cell: ({ oldestAt }) => <Time value={oldestAt} /> },
  {
    id: 'count',
    header: 'Messages',
    align: 'right',
    cell: ({ count }) => <span className="tabular-nums">{formatNumber(count)}</span>,
  },
];

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => client.query(ServiceHealthDocument, {}, KNOWN_FIRST);
