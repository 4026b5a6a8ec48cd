// What others report about a domain: who sends as it (DMARC), how TLS with its mail servers went (TLS-RPT).

import { FileChartColumn } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { useParams } from 'wouter';

import {
  DomainReportsPageDocument,
  type DomainReportsPageQuery,
  type ReportSumFragment,
} from '../../gen/pages/domains/reports.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { Card, Stat } from '../../ui/card.tsx';
import { Code, CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Plot } from '../../ui/plot.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ReportList, SourceTable, type ReportType } from './report-tables.tsx';

type Domain = NonNullable<DomainReportsPageQuery['domain']>;

export function DomainReportsPage(): ReactNode {
  const id = useParams()['id'] ?? '';
  const [{ data, error }, again] = useQuery({ query: DomainReportsPageDocument, variables: { id } });
  const domain = data?.domain;
  if (domain) return <Reports domain={domain} />;
  return (
    <>
      <PageHeader title="Reports" back={{ href: '/domains', label: 'Domains' }} />
      {error ? (
        <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      ) : data ? (
        <EmptyState title="Domain not found">It may have been deleted.</EmptyState>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Reports({ domain }: { domain: Domain }): ReactNode {
  return (
    <>
      <PageHeader
        title={`Reports about ${domain.name}`}
        back={{ href: `/domains/${domain.id}`, label: domain.name }}
        description="What mailbox providers and mail servers report, over the last 30 days. Anybody can send a report: trust those whose mail was authenticated."
      />
      <Tabs
        label="Kind of report"
        tabs={[
          { id: 'dmarc', label: 'DMARC', content: <Kind domain={domain} type="dmarc" /> },
          { id: 'tls', label: 'TLS', content: <Kind domain={domain} type="tls" /> },
        ]}
      />
    </>
  );
}

const WORDS = {
  dmarc: {
    record: 'dmarc',
    unit: 'Messages',
    plot: 'DMARC results by day',
    counted: 'messages',
    sources: 'Who sends as this domain',
    explain:
      'Mail in your name, by the server that sent it. It passes when DKIM or SPF passes for your domain.',
    nothing: 'DMARC reports come once a day from each large mailbox provider that your mail goes to.',
  },
  tls: {
    record: 'tls_rpt',
    unit: 'Sessions',
    plot: 'TLS sessions by day',
    counted: 'sessions',
    sources: 'TLS failures',
    explain: 'Connections to the mail servers of this domain that could not be encrypted as they should.',
    nothing: 'TLS reports come once a day from servers that send mail to this domain.',
  },
} as const;

function Kind({ domain, type }: { domain: Domain; type: ReportType }): ReactNode {
  const sum = domain[type];
  const words = WORDS[type];
  return (
    <div className="space-y-6">
      {sum.reports === 0 ? (
        <Card>
          <EmptyState icon={FileChartColumn} title="No reports yet">
            {words.nothing} Publish the record below, then wait a day or two.
          </EmptyState>
        </Card>
      ) : (
        <>
          <Numbers sum={sum} type={type} complained={domain.reputation?.metrics.complained ?? 0} />
          <Card title={words.plot} description="A report counts on the UTC day in the middle of its period.">
            <Plot
              label={words.plot}
              yLabel={words.counted}
              by="day"
              kind="bars"
              stacked
              times={sum.days.map(({ date }) => date)}
              series={[
                { label: 'Passed', values: sum.days.map(({ passed }) => passed), color: 2 },
                { label: 'Failed', values: sum.days.map(({ failed }) => failed), color: 4 },
              ]}
            />
          </Card>
          <Card title={words.sources} description={words.explain} flush>
            <SourceTable type={type} label={words.sources} sources={sum.sources} />
          </Card>
          <ReportList id={domain.id} type={type} />
        </>
      )}
      <HowTo domain={domain} type={type} />
    </div>
  );
}

function Numbers({
  sum,
  type,
  complained,
}: {
  sum: ReportSumFragment;
  type: ReportType;
  complained: number;
}): ReactNode {
  const { total, passed, failed, reports, authenticated } = sum;
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Stat label={WORDS[type].unit} value={formatNumber(total)} />
      <Stat
        label="Passed"
        value={formatPercent(total === 0 ? null : passed / total)}
        hint={`${formatNumber(failed)} failed`}
      />
      <Stat
        label="Reports"
        value={formatNumber(reports)}
        hint={`${formatNumber(authenticated)} authenticated`}
      />
      {type === 'dmarc' ? (
        <Stat label="Complaints (ARF)" value={formatNumber(complained)} hint="from feedback loops" />
      ) : null}
    </div>
  );
}

function HowTo({ domain, type }: { domain: Domain; type: ReportType }): ReactNode {
  const record = domain.records.find(({ purpose }) => purpose === WORDS[type].record);
  if (!record) return null;
  const address = type === 'dmarc' ? domain.dmarcAddress : domain.tlsReportAddress;
  return (
    <Card
      title="How to get these reports"
      description={`Publish this ${record.type} record at ${record.name}:`}
    >
      <CodeBlock code={record.value} label={`Value of ${record.purpose} record`} />
      <p className="text-muted mt-3 [overflow-wrap:anywhere]">
        If you have such a record already, keep its policy and add <Code>mailto:{address}</Code> to its{' '}
        <Code>rua</Code>; several addresses are separated by commas. The address is below your domain, so
        nothing else is needed.
      </p>
    </Card>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client, { id = '' }) =>
  client.query(DomainReportsPageDocument, { id }, KNOWN_FIRST);
