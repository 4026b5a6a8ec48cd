// The audit log: security and account changes, each with its actor, target, time and IP address.

import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';

import { AuditLogDocument, type AuditRowFragment } from '../../gen/pages/audit/audit.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code-block.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { OwnersOnly } from '../entry/owners-only.tsx';
import { FilterBar, SelectFilter } from '../filters/filter-bar.tsx';
import { useFilters } from '../filters/use-filters.ts';

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
  { value: 'campaign', label: 'Campaigns' },
  { value: 'contact', label: 'Contacts' },
  { value: 'list', label: 'Contact lists' },
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
        description="Security and account changes, newest first. Entries cannot be edited."
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
  {
    id: 'action',
    header: 'Change',
    className: 'sm:w-2/5',
    cell: ({ action, detail }) => (
      <>
        {actionText(action)}
        <Detail detail={detail} />
      </>
    ),
  },
  {
    id: 'actor',
    header: 'Made by',
    cell: ({ actor, actorEmail }) => (
      <span className="[overflow-wrap:anywhere]">{actorEmail ?? <Code>{actor}</Code>}</span>
    ),
  },
  {
    id: 'subject',
    header: 'Target',
    cell: ({ subject }) => <Code>{subject}</Code>,
    className: 'sm:max-w-60 [overflow-wrap:anywhere]',
  },
  { id: 'ip', header: 'IP address', cell: ({ ip }) => ip ?? <span className="text-muted">–</span> },
  { id: 'at', header: 'Time', cell: ({ at }) => <Time value={at} exact /> },
];

// "api_key.created" as "API key created".
function actionText(action: string): string {
  return action.replaceAll(/[._]/g, ' ').replace(/^(api|sso)\b/, (word) => word.toUpperCase());
}

function Detail({ detail }: { detail: unknown }): ReactNode {
  if (typeof detail !== 'object' || detail === null) return null;
  const parts = Object.entries(detail).map(([name, value]) => `${name}: ${valueText(value)}`);
  if (parts.length === 0) return null;
  return (
    <span className="text-muted block text-[13px] font-normal [overflow-wrap:anywhere]">
      {parts.join('; ')}
    </span>
  );
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
