// The scheduler's jobs: what each does, its last run with the result, and its next run.

import { RefreshCw } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { nowMs } from '../../clock.ts';
import { JobsDocument, type JobsQuery } from '../../gen/pages/admin/jobs.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { SuperAdminsOnly } from '../entry/super-admins-only.tsx';
import { jobStatus, runResult, durationText } from './job-words.ts';

type Job = JobsQuery['jobs'][number];

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
        description="Jobs run at fixed UTC times, once per run time, with any number of schedulers. A missed run is caught up."
        actions={
          <Button icon={RefreshCw} busy={fetching} onClick={again}>
            Refresh
          </Button>
        }
      />
      {data?.jobs.some(({ openSlot }) => jobStatus(openSlot, nowMs()) === 'late') ? (
        <p role="status" className="bg-warn-soft text-warn mb-6 rounded-md px-3 py-2">
          A job is late. Check that a scheduler is running and read its log. Failed jobs are retried.
        </p>
      ) : null}
      {data && data.systemMailWaiting > 0 ? (
        <p role="status" className="bg-warn-soft text-warn mb-6 rounded-md px-3 py-2">
          Messages of this service that wait to be sent: {data.systemMailWaiting} (password resets, notices,
          invitations). If they stay, check the domain of SYSTEM_MAIL_FROM and read the log of the scheduler.
        </p>
      ) : null}
      {data ? (
        <Card flush>
          <DataTable
            label="Jobs"
            columns={COLUMNS}
            rows={data.jobs}
            rowKey={(job) => job.name}
            empty={<EmptyState title="No jobs" />}
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
    className: 'sm:w-1/4',
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
        <span className="text-muted">never</span>
      ) : (
        <TwoLines first={<Time value={last.startedAt} />}>
          took {durationText(last.durationMs)}, run of <Time value={last.slot} exact />
        </TwoLines>
      ),
  },
  {
    id: 'result',
    header: 'Result',
    className: 'sm:w-1/4',
    cell: ({ last }) => (last === null ? <None /> : <Result summary={last.summary} />),
  },
  { id: 'state', header: 'Status', cell: ({ openSlot }) => <JobStatus openSlot={openSlot} /> },
  {
    id: 'next',
    header: 'Next run',
    align: 'right',
    cell: ({ nextSlot }) => (
      <TwoLines first={<Time value={nextSlot} ahead />}>
        <Time value={nextSlot} exact />
      </TwoLines>
    ),
  },
];

function TwoLines({ first, children }: { first: ReactNode; children: ReactNode }): ReactNode {
  return (
    <span className="block max-sm:text-right">
      {first}
      <span className="text-muted block text-[13px]">{children}</span>
    </span>
  );
}

function None(): ReactNode {
  return <span className="text-muted">–</span>;
}

function Result({ summary }: { summary: string }): ReactNode {
  const { text, startedManually } = runResult(summary);
  const line = <span className="[overflow-wrap:anywhere]">{text}</span>;
  return startedManually ? <TwoLines first={line}>started manually</TwoLines> : line;
}

function JobStatus({ openSlot }: { openSlot: string | null }): ReactNode {
  const status = jobStatus(openSlot, nowMs());
  if (openSlot === null) return <Badge tone="good">{status}</Badge>;
  return (
    <TwoLines first={<Badge tone={status === 'late' ? 'bad' : 'note'}>{status}</Badge>}>
      since <Time value={openSlot} exact />
    </TwoLines>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => client.query(JobsDocument, {}, KNOWN_FIRST);
