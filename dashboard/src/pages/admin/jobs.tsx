// The scheduler's jobs: what each does, when it ran last and what came of it, when it runs next.

import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { nowMs } from '../../clock.ts';
import { JobsDocument, type JobsQuery } from '../../gen/pages/admin/jobs.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { formatSlot } from '../../ui/plot-props.ts';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { SuperAdminsOnly } from '../entry/super-admins-only.tsx';
import { jobState, runResult, sayDuration } from './job-words.ts';

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
        description="They run at fixed UTC times, each slot once, however many schedulers there are. A missed slot is caught up."
        actions={
          <Button icon={RefreshCw} busy={fetching} onClick={again}>
            Refresh
          </Button>
        }
      />
      {data?.jobs.some(({ openSlot }) => jobState(openSlot, nowMs()) === 'late') ? (
        <p role="status" className="bg-warn-soft text-warn mb-6 rounded-md px-3 py-2">
          A slot that came was not run. Look whether a scheduler runs, and what its log says: a job that
          failed is tried again.
        </p>
      ) : null}
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
        <span className="text-muted">not yet</span>
      ) : (
        <TwoLines first={<Time value={last.startedAt} />}>
          took {sayDuration(last.durationMs)}, slot of {utc(last.slot)}
        </TwoLines>
      ),
  },
  {
    id: 'result',
    header: 'Result',
    className: 'sm:w-1/4',
    cell: ({ last }) => (last === null ? <None /> : <Result summary={last.summary} />),
  },
  { id: 'state', header: 'State', cell: ({ openSlot }) => <State openSlot={openSlot} /> },
  {
    id: 'next',
    header: 'Next slot',
    align: 'right',
    cell: ({ nextSlot }) => <TwoLines first={<Time value={nextSlot} />}>{utc(nextSlot)}</TwoLines>,
  },
];

// Slots are UTC times, wherever one looks at them.
function utc(time: string): string {
  return `${formatSlot(time, 'hour')} UTC`.replaceAll(' ', '\u00a0');
}

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
  const { text, byHand } = runResult(summary);
  const said = <span className="[overflow-wrap:anywhere]">{text}</span>;
  return byHand ? <TwoLines first={said}>started by hand</TwoLines> : said;
}

function State({ openSlot }: { openSlot: string | null }): ReactNode {
  const state = jobState(openSlot, nowMs());
  if (openSlot === null) return <Badge tone="good">{state}</Badge>;
  return (
    <TwoLines first={<Badge tone={state === 'late' ? 'bad' : 'note'}>{state}</Badge>}>
      since {utc(openSlot)}
    </TwoLines>
  );
}
