// The tables of a domain's reports: sources over all of them, and the reports themselves.

import type { ReactNode } from 'react';

import {
  DomainReportListDocument,
  type DomainReportListQuery,
  type ReportRowFragment,
} from '../../gen/pages/domains/reports.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Time } from '../../ui/time.tsx';
import { dmarcWords, tlsWords, type Source } from './report-words.ts';

/** A kind of report. */
export type ReportType = ReportRowFragment['type'];

const COUNT: Column<Source> = {
  id: 'count',
  header: 'Count',
  align: 'right',
  cell: ({ count }) => formatNumber(count),
};

const DMARC: readonly Column<Source>[] = [
  { id: 'source', header: 'Server', cell: ({ source }) => source ?? 'Others' },
  COUNT,
  { id: 'dkim', header: 'DKIM', cell: ({ dkim }) => <Verdict word={dkim} /> },
  { id: 'spf', header: 'SPF', cell: ({ spf }) => <Verdict word={spf} /> },
  { id: 'disposition', header: 'Disposition', cell: ({ disposition }) => disposition ?? '–' },
  {
    id: 'why',
    header: 'Why',
    className: 'max-w-md [overflow-wrap:anywhere]',
    cell: (one) => <Why words={dmarcWords(one)} details={[one.auth, one.reason]} />,
  },
];

const TLS: readonly Column<Source>[] = [
  { id: 'result', header: 'Result', cell: ({ result }) => result ?? 'Others' },
  COUNT,
  { id: 'mx', header: 'Mail server', cell: ({ receivingMx }) => receivingMx ?? '–' },
  {
    id: 'why',
    header: 'What to do',
    className: 'max-w-md [overflow-wrap:anywhere]',
    cell: (one) => <Why words={tlsWords(one)} details={[one.reason]} />,
  },
];

/** Sources, the largest first. */
export function SourceTable({
  type,
  label,
  sources,
}: {
  type: ReportType;
  label: string;
  sources: readonly Source[];
}): ReactNode {
  return (
    <DataTable
      label={label}
      columns={type === 'dmarc' ? DMARC : TLS}
      rows={sources}
      rowKey={({ count: _count, ...key }) => JSON.stringify(key)}
      empty={
        <EmptyState title="No failures">All reported sessions were encrypted as they should.</EmptyState>
      }
    />
  );
}

function Verdict({ word }: { word: string | null }): ReactNode {
  return word === null ? '–' : <Badge tone={word === 'pass' ? 'good' : 'bad'}>{word}</Badge>;
}

function Why({ words, details }: { words: string; details: (string | null)[] }): ReactNode {
  const shown = details.filter((one) => one !== null);
  return (
    <>
      {words}
      {shown.length === 0 ? null : <span className="text-muted block text-[13px]">{shown.join('; ')}</span>}
    </>
  );
}

const REPORTS: readonly Column<ReportRowFragment>[] = [
  { id: 'reporter', header: 'Reporter', cell: ({ reporter }) => reporter },
  {
    id: 'sender',
    header: 'Mailed by',
    cell: ({ sender, authenticated }) => (
      <span className="inline-flex flex-wrap items-center gap-2 [overflow-wrap:anywhere]">
        {sender === '' ? '–' : sender}
        {authenticated ? (
          <Badge tone="good">authenticated</Badge>
        ) : (
          <Badge tone="warn">not authenticated</Badge>
        )}
      </span>
    ),
  },
  { id: 'period', header: 'Until', cell: ({ to }) => <Time value={to} /> },
  { id: 'total', header: 'Count', align: 'right', cell: ({ total }) => formatNumber(total) },
  { id: 'failed', header: 'Failed', align: 'right', cell: ({ failed }) => formatNumber(failed) },
];

/** The reports, the newest first. */
export function ReportList({ id, type }: { id: string; type: ReportType }): ReactNode {
  const connection = useConnection({
    query: DomainReportListDocument,
    variables: { id, type },
    pick: (data: DomainReportListQuery) => data.domain?.reports,
    typename: 'DomainReport',
  });
  return (
    <Card title="Reports" description="Newest first." flush>
      <DataTable
        label="Reports"
        columns={REPORTS}
        connection={connection}
        rowKey={({ reporter, sender, reportId }) => `${reporter} ${sender} ${reportId}`}
        empty={<EmptyState title="No reports" />}
      />
    </Card>
  );
}
