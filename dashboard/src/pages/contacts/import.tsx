// One import: progress, results and failed rows.

import { useEffect, type ReactNode } from 'react';
import { useClient, useQuery } from 'urql';
import { useParams } from 'wouter';

import { ContactListsDocument } from '../../gen/pages/contacts/lists.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { ContactImportDocument, type ContactImportQuery } from '../../gen/pages/contacts/import.ts';
import { usePoll } from '../../graphql/use-poll.ts';
import { Address } from '../../ui/address.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Stat } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Progress } from '../../ui/progress.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';

type Import = NonNullable<ContactImportQuery['contactImport']>;

const POLL_MS = 1_000;
const ERRORS_KEPT = 100; // the API keeps the first ones
const BACK = { href: '/contacts/imports', label: 'Imports' };

export function ContactImportPage(): ReactNode {
  const id = useParams()['id'] ?? '';
  const client = useClient();
  const [{ data, error, fetching }, execute] = useQuery({ query: ContactImportDocument, variables: { id } });
  const found = data?.contactImport;
  const running = found ? found.status === 'pending' || found.status === 'running' : false;
  usePoll(running, POLL_MS, () => void (fetching || execute({ requestPolicy: 'network-only' })));
  const done = found?.status === 'completed';
  useEffect(() => {
    // The lists have new counts; refresh the cached ones.
    if (done)
      void client.query(ContactListsDocument, { first: 25 }, { requestPolicy: 'network-only' }).toPromise();
  }, [client, done]);
  if (found) return <Result found={found} running={running} />;
  return (
    <>
      <PageHeader title="Import" back={BACK} />
      {error ? (
        <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      ) : data ? (
        <EmptyState title="Import not found">It may have been deleted after the retention period.</EmptyState>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Result({ found, running }: { found: Import; running: boolean }): ReactNode {
  const contacts = found.listId === null ? '/contacts' : `/contacts?list=${found.listId}`;
  return (
    <>
      <PageHeader
        title="Import"
        back={BACK}
        badge={<StatusBadge status={found.status} />}
        description={
          <>
            Started <Time value={found.createdAt} />
            {found.finishedAt === null ? '' : ', finished '}
            {found.finishedAt === null ? null : <Time value={found.finishedAt} />}.
          </>
        }
        actions={
          <>
            <ButtonLink href={contacts}>View contacts</ButtonLink>
            {running ? null : <ButtonLink href="/campaigns/new">New campaign</ButtonLink>}
          </>
        }
      />
      <div className="space-y-6">
        {running ? (
          <Card>
            <Progress
              label={found.status === 'pending' ? 'Waiting to start' : 'Importing'}
              value={found.progress}
              max={1}
              text={`${formatPercent(found.progress)}, ${formatNumber(found.total)} rows read`}
            />
          </Card>
        ) : null}
        {found.status === 'failed' ? (
          <p role="alert" className="bg-bad-soft text-bad rounded-md px-4 py-3">
            {found.total > 0 && found.failed === found.total
              ? 'Every row failed, so nothing was imported. Correct the file and import it again.'
              : 'The file could not be read to the end. The rows counted below were imported. Correct the file and import it again; contacts are not duplicated.'}
          </p>
        ) : null}
        <section aria-label="Results" className="grid grid-cols-2 gap-3 sm:grid-cols-5">
          <Stat label="Rows" value={formatNumber(found.total)} />
          <Stat label="New" value={formatNumber(found.created)} />
          <Stat label="Updated" value={formatNumber(found.updated)} />
          <Stat label="Skipped" value={formatNumber(found.skipped)} hint="already exist" />
          <Stat label="Failed" value={formatNumber(found.failed)} />
        </section>
        <Card
          flush
          title="Failed rows"
          description={
            found.failed > ERRORS_KEPT
              ? `Only the first ${ERRORS_KEPT} are shown. The header is row 1.`
              : undefined
          }
        >
          <DataTable
            label="Failed rows"
            columns={COLUMNS}
            rows={found.errors}
            rowKey={(row) => `${row.row} ${row.message}`}
            empty={<EmptyState title={running ? 'No failed rows so far' : 'No failed rows'} />}
          />
        </Card>
      </div>
    </>
  );
}

const COLUMNS: readonly Column<Import['errors'][number]>[] = [
  { id: 'row', header: 'Row', className: 'sm:w-24', cell: (row) => `Row ${formatNumber(row.row)}` },
  {
    id: 'email',
    header: 'Address',
    cell: (row) => <Address>{row.email === '' ? '–' : row.email}</Address>,
  },
  {
    id: 'message',
    header: 'Error',
    cell: (row) => <span className="[overflow-wrap:anywhere]">{row.message}</span>,
  },
];

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client, { id = '' }) =>
  client.query(ContactImportDocument, { id }, KNOWN_FIRST);
