// The addresses that mail leaves from: their pools, the warm-up of new ones, and which provider refuses which until when.

import { Network, RefreshCw } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { SourcesDocument, type SourcesQuery } from '../../gen/pages/admin/sources.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code-block.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Progress } from '../../ui/progress.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { SuperAdminsOnly } from '../entry/super-admins-only.tsx';
import { providerName } from '../providers/provider-names.ts';

type Source = SourcesQuery['sources'][number];

const TITLE = 'Sending addresses';

export function SourcesPage(): ReactNode {
  const { isSuperAdmin } = useViewer();
  return isSuperAdmin ? <Sources /> : <SuperAdminsOnly title={TITLE} />;
}

function Sources(): ReactNode {
  const [{ data, error, fetching }, execute] = useQuery({ query: SourcesDocument, variables: {} });
  const again = () => execute({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHeader
        title={TITLE}
        description="The pools of EGRESS_POOLS with their addresses. A new address warms up under a daily cap of its own; one that a provider refuses rests for that provider."
        actions={
          <Button icon={RefreshCw} busy={fetching} onClick={again}>
            Refresh
          </Button>
        }
      />
      {data ? (
        <Pools sources={data.sources} />
      ) : error ? (
        <ErrorState error={error} onRetry={again} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Pools({ sources }: { sources: Source[] }): ReactNode {
  const pools = [...Map.groupBy(sources, ({ pool }) => pool)];
  if (pools.length === 0)
    return (
      <Card>
        <EmptyState icon={Network} title="No pools">
          All mail leaves from the address that the operating system chooses. Set <Code>EGRESS_POOLS</Code> to
          name others.
        </EmptyState>
      </Card>
    );
  return (
    <div className="space-y-6">
      {pools.map(([pool, members]) => (
        <Card
          key={pool}
          flush
          title={`Pool ${pool}`}
          description={`${members.length} ${members.length === 1 ? 'address' : 'addresses'}`}
        >
          <DataTable
            label={`Addresses of pool ${pool}`}
            columns={COLUMNS}
            rows={members}
            rowKey={({ address }) => address}
            empty={null}
          />
        </Card>
      ))}
    </div>
  );
}

const COLUMNS: readonly Column<Source>[] = [
  {
    id: 'address',
    header: 'Address',
    className: 'sm:w-1/4',
    cell: ({ address, hostname }) => (
      <>
        <span className="font-mono [overflow-wrap:anywhere]">{address}</span>
        <span className="text-muted block text-[13px] font-normal [overflow-wrap:anywhere]">{hostname}</span>
      </>
    ),
  },
  {
    id: 'warmup',
    header: 'Warm-up today',
    className: 'sm:w-1/3',
    cell: ({ address, warmup }) =>
      warmup === null ? (
        <span className="text-muted">Warm: no cap of its own</span>
      ) : (
        <div className="max-w-72 min-w-48">
          <Progress
            label={`Tier ${warmup.tier}`}
            name={`Cap of ${address} used today`}
            value={warmup.used}
            max={warmup.cap}
            tone={warmup.used >= warmup.cap ? 'warn' : 'accent'}
            text={`${formatNumber(warmup.used)} of ${formatNumber(warmup.cap)}`}
          />
        </div>
      ),
  },
  {
    id: 'rests',
    header: 'Rests',
    cell: ({ rests }) =>
      rests.length === 0 ? (
        <Badge tone="good">sends everywhere</Badge>
      ) : (
        <ul className="space-y-2 max-sm:text-right">
          {rests.map(({ provider, until, reply }) => (
            <li key={provider}>
              <Badge tone="warn">{providerName(provider)}</Badge> until <Time value={until} exact />
              <span className="text-muted block text-[13px] [overflow-wrap:anywhere]">{reply}</span>
            </li>
          ))}
        </ul>
      ),
  },
];

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => client.query(SourcesDocument, {}, KNOWN_FIRST);
