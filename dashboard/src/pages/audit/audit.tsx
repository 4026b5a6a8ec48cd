// The audit log: security and account changes as sentences, each with its time and IP address.

import { ScrollText } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { AuditLogDocument, type AuditRowFragment } from '../../gen/pages/audit/audit.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Address } from '../../ui/address.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { OwnersOnly } from '../entry/owners-only.tsx';
import { FilterBar, SelectFilter } from '../filters/filter-bar.tsx';
import { useFilters } from '../filters/use-filters.ts';
import { auditSentence } from './audit-words.ts';

const KINDS = [
  { value: 'session', label: 'Sessions' },
  { value: 'sign_in', label: 'Failed sign-ins' },
  { value: 'second_factor', label: 'Two-factor authentication' },
  { value: 'user', label: 'People' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'api_key', label: 'API keys' },
  { value: 'sso', label: 'Single sign-on' },
  { value: 'domain', label: 'Domains' },
  { value: 'warmup', label: 'Warm-up' },
  { value: 'webhook', label: 'Webhooks' },
  { value: 'alert', label: 'Alerts' },
  { value: 'campaign', label: 'Campaigns' },
  { value: 'contact', label: 'Contacts' },
  { value: 'list', label: 'Contact lists' },
  { value: 'export', label: 'Exports of lists' },
  { value: 'bulk', label: 'Changes of many rows' },
  { value: 'import', label: 'Contact imports' },
  { value: 'template', label: 'Templates' },
  { value: 'suppression', label: 'Suppressions' },
  { value: 'message', label: 'Messages' },
  { value: 'inbound_message', label: 'Inbound messages' },
  { value: 'mailbox', label: 'Mailboxes' },
  { value: 'tenant', label: 'Account' },
] as const;

export function AuditPage(): ReactNode {
  const { isOwner } = useViewer();
  if (!isOwner) return <OwnersOnly title="Audit log">read the audit log</OwnersOnly>;
  return <AuditLog />;
}

function AuditLog(): ReactNode {
  const filters = useFilters(['kind']);
  const { kind } = filters.values;
  const entries = useConnection({
    query: AuditLogDocument,
    variables: { ...(kind && { action: kind }) },
    pick: (data) => data.auditLog,
    typename: 'AuditEntry',
  });
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Security and account changes, and who read message contents, newest first. Entries cannot be edited."
      />
      <Card flush>
        <FilterBar label="Filter the audit log" onClear={filters.any ? filters.clear : undefined}>
          <SelectFilter
            label="Kind"
            all="All changes"
            value={kind}
            onChange={(value) => filters.set('kind', value)}
            options={KINDS}
          />
        </FilterBar>
        <DataTable
          label="Audit log"
          columns={COLUMNS}
          connection={entries}
          rowKey={(entry) => entry.id}
          empty={
            <EmptyState icon={ScrollText} title={filters.any ? 'No changes of this kind' : 'No changes yet'}>
              {filters.any ? 'Choose another kind, or clear the filter.' : null}
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

const COLUMNS: readonly Column<AuditRowFragment>[] = [
  { id: 'action', header: 'Change', className: 'sm:w-3/5', cell: (entry) => <Sentence entry={entry} /> },
  { id: 'ip', header: 'IP address', cell: ({ ip }) => ip ?? <span className="text-muted">–</span> },
  { id: 'at', header: 'Time', cell: ({ at }) => <Time value={at} exact /> },
];

// Who did what to what. Names are what people typed: text, in marks of its own direction.
function Sentence({ entry }: { entry: AuditRowFragment }): ReactNode {
  const { actor, actorEmail, action, subject, detail } = entry;
  return (
    <span className="font-normal break-words">
      <span className="font-medium">
        <Address>{actorEmail ?? actorText(actor)}</Address>
      </span>{' '}
      {auditSentence(action, subject, detail).map(({ text, href }, at) =>
        href === undefined ? (
          <bdi key={at}>{text}</bdi>
        ) : (
          <Link key={at} href={href} className="text-accent-strong [overflow-wrap:anywhere] hover:underline">
            <bdi>{text}</bdi>
          </Link>
        ),
      )}
    </span>
  );
}

// Who is no person: a key, a service, or nobody who proved who they are.
function actorText(actor: string): string {
  if (actor.startsWith('key_')) return `API key ${actor}`;
  if (actor === 'nobody') return 'Somebody';
  if (actor === 'system') return 'The DNS check';
  return actor;
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, AuditLogDocument);
