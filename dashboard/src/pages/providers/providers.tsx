// Mailbox providers: what mail to each came to, how fast we may send there now and why, and what they refuse with.

import { RefreshCw, ServerCog } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { MailboxProvidersDocument, type MailboxProvidersQuery } from '../../gen/pages/providers/providers.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { providerName } from './provider-names.ts';

type Provider = MailboxProvidersQuery['mailboxProviders'][number];

export function ProvidersPage(): ReactNode {
  const [{ data, error, fetching }, execute] = useQuery({ query: MailboxProvidersDocument, variables: {} });
  const again = () => execute({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHeader
        title="Mailbox providers"
        description="Your mail to each provider over the last 30 UTC days, and how fast it is sent there now. Domains count as the provider that their MX leads to."
        actions={
          <Button icon={RefreshCw} busy={fetching} onClick={again}>
            Refresh
          </Button>
        }
      />
      {data ? (
        <Providers providers={data.mailboxProviders} />
      ) : error ? (
        <ErrorState error={error} onRetry={again} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Providers({ providers }: { providers: Provider[] }): ReactNode {
  const refusing = providers.filter(({ topReplies }) => topReplies.length > 0);
  return (
    <div className="space-y-6">
      {providers
        .filter(({ limits }) => limits.suspendedUntil !== null)
        .map(({ provider, limits }) => (
          <p
            key={provider}
            role="status"
            className="bg-warn-soft text-warn rounded-md px-4 py-3 [overflow-wrap:anywhere]"
          >
            <strong className="font-medium">{providerName(provider)} wants no mail from us now.</strong> Your
            mail to it waits until <Time value={limits.suspendedUntil} exact />. It replied:{' '}
            {limits.learnedFrom}
          </p>
        ))}
      <Card flush>
        <DataTable
          label="Mailbox providers"
          columns={COLUMNS}
          rows={providers}
          rowKey={({ provider }) => provider}
          empty={
            <EmptyState icon={ServerCog} title="No mail to a mailbox provider yet">
              Providers appear here with their results once you have sent mail to them in the last 30 days.
              Mail through a relay is not counted.
            </EmptyState>
          }
        />
      </Card>
      {refusing.map(({ provider, topReplies }) => (
        <Card
          key={provider}
          flush
          title={`Refusals of ${providerName(provider)}`}
          description="Its most frequent replies to mail that it deferred or bounced, without addresses, ids and links."
        >
          <DataTable
            label={`Refusals of ${providerName(provider)}`}
            columns={REPLY_COLUMNS}
            rows={topReplies}
            rowKey={({ reply }) => reply}
            empty={null}
          />
        </Card>
      ))}
    </div>
  );
}

// A number, and which part of another it is.
function Share({ part, of }: { part: number; of: number }): ReactNode {
  return (
    <span className="block text-right tabular-nums">
      {formatNumber(part)}
      <span className="text-muted block text-[13px]">{formatPercent(of === 0 ? null : part / of)}</span>
    </span>
  );
}

const COLUMNS: readonly Column<Provider>[] = [
  { id: 'provider', header: 'Provider', cell: ({ provider }) => providerName(provider) },
  { id: 'sent', header: 'Sent', align: 'right', cell: ({ sent }) => formatNumber(sent) },
  {
    id: 'delivered',
    header: 'Delivered',
    align: 'right',
    cell: ({ delivered, sent }) => <Share part={delivered} of={sent} />,
  },
  {
    id: 'bounced',
    header: 'Bounced',
    align: 'right',
    cell: ({ bounced, sent }) => <Share part={bounced} of={sent} />,
  },
  {
    id: 'complained',
    header: 'Complaints',
    align: 'right',
    cell: ({ complained, delivered }) => <Share part={complained} of={delivered} />,
  },
  {
    id: 'deferred',
    header: 'Asked to retry',
    align: 'right',
    cell: ({ deferred }) => formatNumber(deferred),
  },
  {
    id: 'limits',
    header: 'Limit now',
    className: 'sm:w-1/3',
    cell: ({ limits }) => <Limits limits={limits} />,
  },
];

function Limits({ limits }: { limits: Provider['limits'] }): ReactNode {
  const { connections, perMinute, learnedFrom, suspendedUntil } = limits;
  return (
    <span className="block max-sm:text-right">
      {suspendedUntil === null ? null : (
        <span className="mb-1 block">
          <Badge tone="warn">paused</Badge> until <Time value={suspendedUntil} exact />
        </span>
      )}
      {formatNumber(connections)} {connections === 1 ? 'connection' : 'connections'},{' '}
      {formatNumber(perMinute)} messages a minute
      <span className="text-muted block text-[13px] [overflow-wrap:anywhere]">
        {learnedFrom === null ? 'The usual limit' : `Because it replied: ${learnedFrom}`}
      </span>
    </span>
  );
}

const REPLY_COLUMNS: readonly Column<Provider['topReplies'][number]>[] = [
  {
    id: 'reply',
    header: 'Reply',
    cell: ({ reply }) => (
      <span className="font-mono text-[13px] font-normal [overflow-wrap:anywhere]">
        {reply === 'other' ? 'other replies' : reply}
      </span>
    ),
  },
  { id: 'count', header: 'Times', align: 'right', cell: ({ count }) => formatNumber(count) },
];

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => client.query(MailboxProvidersDocument, {}, KNOWN_FIRST);
