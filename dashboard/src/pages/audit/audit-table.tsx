// The rows of an audit log with their filters: for the owners of a tenant, and for operators who look at another one.

import { ScrollText } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import type { AuditRowFragment } from '../../gen/pages/audit/audit.ts';
import type { ConnectionState } from '../../graphql/use-connection.ts';
import { Address } from '../../ui/address.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Time } from '../../ui/time.tsx';
import { DateFilter, instantOf } from '../filters/date-filter.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../filters/filter-bar.tsx';
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

const FILTERS = ['kind', 'actor', 'since', 'until'] as const;

/** The filters of a log, and the variables of its query that they stand for. The export takes the same names. */
export function useAuditFilters() {
  const filters = useFilters(FILTERS);
  const { kind: action, actor } = filters.values;
  const [since, until] = [instantOf(filters.values.since), instantOf(filters.values.until)];
  const variables = {
    ...(action && { action }),
    ...(actor && { actor }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  return { filters, variables };
}

/** The filters and the rows. `linked`: things that a sentence names are links, as they are in the reader's own account. */
export function AuditTable({
  filters,
  entries,
  linked,
  bar,
}: {
  filters: ReturnType<typeof useAuditFilters>['filters'];
  entries: ConnectionState<AuditRowFragment>;
  linked: boolean;
  /** What stands between the filters and the rows. */
  bar?: ReactNode;
}): ReactNode {
  const { values, set, any } = filters;
  const clear = () => FILTERS.forEach((name) => set(name, ''));
  return (
    <>
      <FilterBar label="Filter the audit log" onClear={any ? clear : undefined}>
        <SelectFilter
          label="Kind"
          all="All changes"
          value={values.kind}
          onChange={(value) => set('kind', value)}
          options={KINDS}
        />
        <SearchFilter
          label="Person, key or job"
          value={values.actor}
          onChange={(value) => set('actor', value)}
        />
        <DateFilter label="From" value={values.since} onChange={(value) => set('since', value)} />
        <DateFilter label="Until" end value={values.until} onChange={(value) => set('until', value)} />
      </FilterBar>
      {bar}
      <DataTable
        label="Audit log"
        columns={columns(linked)}
        connection={entries}
        rowKey={(entry) => entry.id}
        empty={
          <EmptyState icon={ScrollText} title={any ? 'No changes match' : 'No changes yet'}>
            {any ? 'Change or clear the filters. A person is found by the whole address.' : null}
          </EmptyState>
        }
      />
    </>
  );
}

const columns = (linked: boolean): readonly Column<AuditRowFragment>[] => [
  {
    id: 'action',
    header: 'Change',
    className: 'sm:w-3/5',
    cell: (entry) => <Sentence entry={entry} linked={linked} />,
  },
  { id: 'ip', header: 'IP address', cell: ({ ip }) => ip ?? <span className="text-muted">–</span> },
  { id: 'at', header: 'Time', cell: ({ at }) => <Time value={at} exact /> },
];

// Who did what to what. Names are what people typed: text, in marks of its own direction.
function Sentence({ entry, linked }: { entry: AuditRowFragment; linked: boolean }): ReactNode {
  const { actor, actorEmail, action, subject, detail } = entry;
  return (
    <span className="font-normal break-words">
      <span className="font-medium">
        <Address>{actorEmail ?? actorText(actor)}</Address>
      </span>{' '}
      {auditSentence(action, subject, detail).map(({ text, href }, at) =>
        href === undefined || !linked ? (
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
