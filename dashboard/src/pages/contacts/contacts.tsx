// The list of contacts.

import { Plus, Upload, Users } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  ContactListChoicesDocument,
  ContactsDocument,
  type ContactsQuery,
} from '../../gen/pages/contacts/contacts.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { Address } from '../../ui/address.tsx';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { ExportButton } from '../exports/export-button.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../filters/filter-bar.tsx';
import { ListBar } from '../filters/list-bar.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import { ContactTabs } from './contact-tabs.tsx';
import { CreateContactDialog } from './create-contact-dialog.tsx';

type Row = ContactsQuery['contacts']['edges'][number]['node'];

const FILTERS = ['email', 'list', 'tag', 'status'] as const;
const STATUSES = ['subscribed', 'unsubscribed'] as const;

export function ContactsPage(): ReactNode {
  const filters = useFilters(FILTERS);
  const [creating, setCreating] = useState(false);
  const { email, list, tag } = filters.values;
  const status = oneOf(filters.values.status, STATUSES);
  const contacts = useConnection({
    query: ContactsDocument,
    variables: {
      ...(email && { email }),
      ...(list && { listId: list }),
      ...(tag && { tag }),
      ...(status && { status }),
    },
    pick: (data) => data.contacts,
    typename: 'Contact',
  });
  return (
    <>
      <PageHeader
        title="Contacts"
        description="The people who receive your campaigns. One contact per address."
        actions={
          <>
            <ButtonLink href="/contacts/imports" icon={Upload}>
              Import
            </ButtonLink>
            <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
              Add contact
            </Button>
          </>
        }
      />
      <ContactTabs current="/contacts" />
      <Card flush>
        <Filters filters={filters} />
        <ListBar>
          <ExportButton
            kind="contacts"
            filter={{
              ...(email && { email }),
              ...(list && { list_id: list }),
              ...(tag && { tag }),
              ...(status && { status }),
            }}
          />
        </ListBar>
        <DataTable
          label="Contacts"
          columns={COLUMNS}
          connection={contacts}
          rowKey={(contact) => contact.id}
          rowHref={(contact) => `/contacts/${contact.id}`}
          empty={<NoContacts filtered={filters.any} />}
        />
      </Card>
      <CreateContactDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function Filters({
  filters: { values, set, clear, any },
}: {
  filters: ReturnType<typeof useFilters<(typeof FILTERS)[number]>>;
}): ReactNode {
  const [{ data }] = useQuery({ query: ContactListChoicesDocument, variables: {} });
  const lists = data?.contactLists.edges.map(({ node }) => ({ value: node.id, label: node.name })) ?? [];
  return (
    <FilterBar label="Filter contacts" onClear={any ? clear : undefined}>
      <SearchFilter label="Search contacts" value={values.email} onChange={(value) => set('email', value)} />
      <SearchFilter label="Tag" value={values.tag} onChange={(value) => set('tag', value)} />
      <SelectFilter
        label="List"
        all="All lists"
        value={values.list}
        onChange={(value) => set('list', value)}
        options={lists}
      />
      <SelectFilter
        label="Status"
        all="All statuses"
        value={values.status}
        onChange={(value) => set('status', value)}
        options={STATUSES.map((state) => ({ value: state, label: state }))}
      />
    </FilterBar>
  );
}

function NoContacts({ filtered }: { filtered: boolean }): ReactNode {
  if (filtered) {
    return (
      <EmptyState icon={Users} title="No contacts match">
        Change or clear the filters. Enter the full address.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Users}
      title="No contacts yet"
      action={
        <ButtonLink href="/contacts/imports" variant="primary">
          Import contacts
        </ButtonLink>
      }
    >
      Import a CSV file, or add contacts one by one.
    </EmptyState>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'email',
    header: 'Address',
    className: 'sm:max-w-72',
    cell: (contact) => <Address>{contact.email}</Address>,
  },
  {
    id: 'name',
    header: 'Name',
    cell: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ') || '–',
  },
  { id: 'status', header: 'Status', cell: (contact) => <StatusBadge status={contact.status} /> },
  {
    id: 'lists',
    header: 'Lists and tags',
    cell: ({ lists, tags }) => (
      <span className="flex flex-wrap gap-1 max-sm:justify-end">
        {lists.slice(0, 3).map(({ id, name }) => (
          <Badge key={id} tone="accent">
            {name}
          </Badge>
        ))}
        {tags.slice(0, 3).map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
        {lists.length > 3 || tags.length > 3 ? <Badge>and more</Badge> : null}
        {lists.length + tags.length === 0 ? '–' : null}
      </span>
    ),
  },
  { id: 'created', header: 'Created', align: 'right', cell: (contact) => <Time value={contact.createdAt} /> },
];

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, ContactsDocument);
