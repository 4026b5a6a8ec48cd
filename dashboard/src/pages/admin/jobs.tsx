// The scheduler's jobs: what each does, when it ran last and what came of it, when it runs next.

import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { JobsDocument, type JobsQuery } from '../../gen/pages/admin/jobs.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber } from '../../ui/number-text.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { SuperAdminsOnly } from '../entry/super-admins-only.tsx';

type Job = JobsQuery['jobs'][number];

/** The page. */
export function JobsPage(): ReactNode {
  const { isSuperAdmin } = useViewer();
  return isSuperAdmin ? <Jobs /> : <SuperAdminsOnly title="Jobs" />;
}

function Jobs(): ReactNode {
  const [{ data, error, fetching }, execute] = useQuery({ query: JobsDocument, variables: {} });
  const again = () => execute({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHeader
        title="Jobs"
        description="They run at fixed UTC times, each slot once, however many schedulers there are. A missed slot is caught up."
        actions={
          <Button icon={RefreshCw} busy={fetching} onClick={again}>
            Refresh
          </Button>
        }
      />
      {data ? (
        <Card flush>
          <DataTable
            label="Jobs"
            columns={COLUMNS}
            rows={data.jobs}
            rowKey={(job) => job.name}
            empty={<EmptyState title="There are no jobs" />}
          />
        </Card>
      ) : error ? (
        <ErrorState error={error} onRetry={again} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Job>[] = [
  {
    id: 'name',
    header: 'Job',
    className: 'sm:w-2/5',
    cell: ({ name, does }) => (
      <>
        {name}
        <span className="text-muted block text-[13px] font-normal">{does}</span>
      </>
    ),
  },
  {
    id: 'last',
    header: 'Last run',
    cell: ({ last }) =>
      last === null ? (
        <span className="text-muted">not yet</span>
      ) : (
        <>
          <Time value={last.startedAt} />
          <span className="text-muted block text-[13px]">
            for the slot of <Time value={last.slot} exact />
          </span>
        </>
      ),
  },
  {
    id: 'took',
    header: 'Took',
    align: 'right',
    cell: ({ last }) => (last === null ? '–' : `${formatNumber(last.durationMs)} ms`),
  },
  {
    id: 'result',
    header: 'Result',
    cell: ({ last }) => <span className="[overflow-wrap:anywhere]">{last?.summary || '–'}</span>,
  },
  { id: 'next', header: 'Next', align: 'right', cell: ({ nextSlot }) => <Time value={nextSlot} /> },
];
