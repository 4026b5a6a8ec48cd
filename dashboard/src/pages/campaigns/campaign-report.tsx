// What came of a campaign: opens and clicks over time, its links, and who did what. Machines are shown apart.

import { Download, RefreshCw } from '../../gen/icons.ts';
import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  CampaignRecipientsDocument,
  CampaignReportDocument,
  type CampaignRecipientsQuery,
  type CampaignReportQuery,
} from '../../gen/pages/campaigns/campaign.ts';
import { nowMs } from '../../clock.ts';
import { saveFile } from '../../graphql/rest-file.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { NumberText } from '../../ui/number-text.tsx';
import { Plot } from '../../ui/plot.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { FilterBar, SelectFilter } from '../filters/filter-bar.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';

type Report = NonNullable<CampaignReportQuery['campaign']>['report'];
type Link = Report['links'][number];
type Recipient = NonNullable<CampaignRecipientsQuery['campaign']>['recipients']['edges'][number]['node'];

const FILTERS = [
  { value: 'opened', label: 'Opened' },
  { value: 'clicked', label: 'Clicked' },
  { value: 'not_opened', label: 'Delivered, not opened' },
  { value: 'machine_opened', label: 'Opened by machines only' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
  { value: 'complained', label: 'Reported spam' },
  { value: 'bounced', label: 'Bounced' },
] as const;

/** The report of a campaign that was launched. */
export function CampaignReport({ id, name }: { id: string; name: string }): ReactNode {
  const [{ data, error, fetching }, execute] = useQuery({
    query: CampaignReportDocument,
    variables: { id },
  });
  const report = data?.campaign?.report;
  const [round, setRound] = useState(0);
  const readAt = useMemo(() => new Date(data ? nowMs() : 0).toISOString(), [data]);
  const again = () => {
    execute({ requestPolicy: 'network-only' });
    setRound(round + 1);
  };
  return (
    <>
      {report ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-muted" role="status">
            The report below is as of <Time value={readAt} exact />. It does not change by itself.
          </p>
          <Button size="small" icon={RefreshCw} busy={fetching} onClick={again}>
            Refresh report
          </Button>
        </div>
      ) : null}
      {report ? (
        <>
          <OverTime report={report} />
          {report.links.length === 0 ? null : <Links links={report.links} />}
        </>
      ) : (
        <Card title="Opens and clicks">
          {error ? (
            <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
          ) : (
            <Skeleton className="h-48 w-full" />
          )}
        </Card>
      )}
      <Recipients id={id} name={name} round={round} />
    </>
  );
}

function OverTime({ report: { by, points } }: { report: Report }): ReactNode {
  const of = (name: 'opens' | 'clicks' | 'machineOpens' | 'machineClicks') =>
    points.map((point) => point[name]);
  const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
  const machines = points.map(({ machineOpens, machineClicks }) => machineOpens + machineClicks);
  const opens = sum(of('opens'));
  const clicks = sum(of('clicks'));
  return (
    <Card
      title="Opens and clicks"
      description="Recipients by the time of their first open and click. Requests by mail scanners and image proxies are counted as machines, and not in the rates."
    >
      {points.length === 0 ? (
        <EmptyState title="No opens or clicks yet">
          They appear here within seconds. Nothing is counted if tracking is off.
        </EmptyState>
      ) : (
        <Plot
          label={`Opens and clicks by ${by}`}
          yLabel="recipients"
          by={by === 'hour' ? 'hour' : 'day'}
          kind={points.length < 3 ? 'bars' : 'lines'}
          times={points.map(({ at }) => at)}
          series={[
            { label: 'Opened', values: of('opens'), color: 5 },
            { label: 'Clicked', values: of('clicks'), color: 2 },
            { label: 'By machines', values: machines, color: 3, dashed: true },
          ]}
          summary={`${formatNumber(opens)} recipients opened, ${formatNumber(clicks)} clicked. ${formatNumber(sum(machines))} first opens and clicks by machines.`}
        />
      )}
    </Card>
  );
}

function Links({ links }: { links: readonly Link[] }): ReactNode {
  return (
    <Card flush title="Links" description="By the number of recipients who followed them.">
      <DataTable
        label="Links"
        columns={LINK_COLUMNS}
        rows={links}
        rowKey={({ url }) => url}
        empty={<EmptyState title="No links were followed" />}
      />
    </Card>
  );
}

const LINK_COLUMNS: readonly Column<Link>[] = [
  {
    id: 'url',
    header: 'Link',
    cell: ({ url }) => <span className="[overflow-wrap:anywhere]">{url}</span>,
  },
  {
    id: 'recipients',
    header: 'Recipients',
    align: 'right',
    cell: ({ recipients }) => <NumberText value={recipients} />,
  },
  { id: 'clicks', header: 'Clicks', align: 'right', cell: ({ clicks }) => <NumberText value={clicks} /> },
  {
    id: 'machines',
    header: 'By machines',
    align: 'right',
    cell: ({ machineClicks }) => <NumberText value={machineClicks} />,
  },
];

// Read again with each `round`.
function Recipients({ id, name, round }: { id: string; name: string; round: number }): ReactNode {
  const filters = useFilters(['did']);
  const did = oneOf(
    filters.values.did,
    FILTERS.map(({ value }) => value),
  );
  const recipients = useConnection({
    query: CampaignRecipientsDocument,
    variables: { id, ...(did && { filter: did }) },
    pick: (data) => data.campaign?.recipients,
    typename: 'CampaignRecipient',
  });
  const refresh = useEffectEvent(recipients.refresh);
  useEffect(() => {
    if (round > 0) refresh();
  }, [round]);
  return (
    <Card
      flush
      title="Recipients"
      description="Who opened and clicked, with the first time of each."
      actions={<Csv id={id} name={name} filter={did} />}
    >
      <FilterBar label="Filter recipients" onClear={filters.any ? filters.clear : undefined}>
        <SelectFilter
          label="Activity"
          all="All recipients"
          value={did ?? ''}
          onChange={(value) => filters.set('did', value)}
          options={FILTERS}
        />
      </FilterBar>
      <DataTable
        label="Recipients"
        columns={RECIPIENT_COLUMNS}
        connection={recipients}
        rowKey={({ contactId }) => contactId}
        rowHref={({ contactId }) => `/contacts/${contactId}`}
        empty={<EmptyState title={did ? 'No recipients did this' : 'No recipients yet'} />}
      />
    </Card>
  );
}

function Csv({ id, name, filter }: { id: string; name: string; filter: string | undefined }): ReactNode {
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const save = async () => {
    setBusy(true);
    const query = filter === undefined ? '' : `?filter=${filter}`;
    await saveFile(`/api/v1/campaigns/${id}/recipients/csv${query}`, `${name}.csv`).catch((error: unknown) =>
      toast(error instanceof Error ? error.message : 'The file could not be read. Try again.', 'bad'),
    );
    setBusy(false);
  };
  return (
    <Button icon={Download} busy={busy} onClick={() => void save()}>
      Download CSV
    </Button>
  );
}

const RECIPIENT_COLUMNS: readonly Column<Recipient>[] = [
  {
    id: 'email',
    header: 'Recipient',
    cell: ({ email }) => <span className="[overflow-wrap:anywhere]">{email ?? 'deleted contact'}</span>,
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'opened',
    header: 'Opened',
    cell: ({ openedAt, machineOpenedAt }) =>
      openedAt === null && machineOpenedAt !== null ? (
        <Badge>machine</Badge>
      ) : (
        <Time value={openedAt} fallback="–" />
      ),
  },
  { id: 'clicked', header: 'Clicked', cell: ({ clickedAt }) => <Time value={clickedAt} fallback="–" /> },
  {
    id: 'left',
    header: 'Left or complained',
    cell: ({ unsubscribedAt, complainedAt }) =>
      complainedAt !== null ? (
        <Badge tone="bad">reported spam</Badge>
      ) : unsubscribedAt !== null ? (
        <Badge tone="warn">unsubscribed</Badge>
      ) : (
        <span className="text-muted">–</span>
      ),
  },
];
