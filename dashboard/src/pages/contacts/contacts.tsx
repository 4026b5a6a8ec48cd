// The list of contacts.

import { ListMinus, ListPlus, Plus, Trash, Upload, Users } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  ContactCountDocument,
  ContactListChoicesDocument,
  ContactsDocument,
  type ContactsQuery,
} from '../../gen/pages/contacts/contacts.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Address } from '../../ui/address.tsx';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SelectLoadedBox } from '../../ui/select-box.tsx';
import { Time } from '../../ui/time.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import type { BulkOffer } from '../bulk/bulk-offer.ts';
import { ExportButton } from '../exports/export-button.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../filters/filter-bar.tsx';
import { ListBar } from '../filters/list-bar.tsx';
import { ListTotal } from '../filters/list-total.tsx';
import { AGE_ORDERS, SortSelect } from '../filters/sort-select.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';
import { useSort } from '../filters/use-sort.ts';
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
  const order = useSort(['newest', 'oldest', 'address']);
  const { canWrite } = useViewer();
  const wanted = { ...(email && { email }), ...(tag && { tag }), ...(status && { status }) };
  const variables = { ...wanted, ...(list && { listId: list }) };
  const filter = { ...wanted, ...(list && { list_id: list }) };
  const contacts = useConnection({
    query: ContactsDocument,
    variables: { ...variables, ...order.variable },
    pick: (data) => data.contacts,
    typename: 'Contact',
  });
  const [{ data: counted }, countAgain] = useQuery({
    query: ContactCountDocument,
    variables,
    context: CONTACTS_COUNT,
  });
  const total = counted?.contactCount;
  const selection = useSelection(
    JSON.stringify(filter),
    contacts.nodes.map(({ id }) => id),
  );
  const lists = useLists();
  const onDone = () => {
    selection.clear();
    contacts.refresh();
    countAgain({ requestPolicy: 'network-only' });
  };
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
        <Filters filters={filters} lists={lists} />
        <ListBar>
          <SortSelect
            sort={order.sort}
            options={[...AGE_ORDERS, { value: 'address', label: 'By address' }]}
          />
          {canWrite && contacts.nodes.length > 0 ? (
            <SelectLoadedBox selection={selection} text="Select all" className="mr-auto sm:hidden" />
          ) : null}
          <ListTotal total={total} one="contact" many="contacts" />
          <ExportButton kind="contacts" filter={filter} total={total} />
        </ListBar>
        <DataTable
          label="Contacts"
          columns={COLUMNS}
          connection={contacts}
          sort={order.sort}
          rowKey={(contact) => contact.id}
          rowHref={(contact) => `/contacts/${contact.id}`}
          select={canWrite ? { selection, rowName: (contact) => contact.email } : undefined}
          empty={<NoContacts filtered={filters.any} />}
        />
        <BulkBar
          selection={selection}
          list={{
            noun: { one: 'contact', many: 'contacts' },
            total,
            hasMore: contacts.hasMore,
            filter,
            keys: 'ids',
          }}
          offers={offersOf(lists)}
          onDone={onDone}
        />
      </Card>
      <CreateContactDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

const CONTACTS_COUNT = { additionalTypenames: ['Contact'] };

interface Choice {
  value: string;
  label: string;
}

function useLists(): Choice[] {
  const [{ data }] = useQuery({ query: ContactListChoicesDocument, variables: {} });
  return data?.contactLists.edges.map(({ node }) => ({ value: node.id, label: node.name })) ?? [];
}

function offersOf(lists: readonly Choice[]): BulkOffer[] {
  const ofLists: BulkOffer[] = [
    {
      action: 'add_contacts_to_list',
      label: 'Add to list',
      icon: ListPlus,
      title: (what) => `Add ${what} to a list`,
      done: 'added to the list',
      text: 'Who is on the list already stays on it.',
      lists,
    },
    {
      action: 'remove_contacts_from_list',
      label: 'Remove from list',
      icon: ListMinus,
      title: (what) => `Remove ${what} from a list`,
      done: 'removed from the list',
      text: 'The contacts themselves stay.',
      lists,
    },
  ];
  return [
    ...(lists.length === 0 ? [] : ofLists),
    {
      action: 'delete_contacts',
      label: 'Delete',
      icon: Trash,
      title: (what) => `Delete ${what}`,
      done: 'deleted',
      text: 'They leave all lists, and this cannot be undone. Sent messages and suppressions of the addresses are kept.',
      danger: true,
    },
  ];
}

function Filters({
  filters: { values, set, clear, any },
  lists,
}: {
  filters: ReturnType<typeof useFilters<(typeof FILTERS)[number]>>;
  lists: readonly Choice[];
}): ReactNode {
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
    sorts: { ascending: 'address' },
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
  {
    id: 'created',
    header: 'Created',
    sorts: { descending: 'newest', ascending: 'oldest' },
    align: 'right',
    cell: (contact) => <Time value={contact.createdAt} />,
  },
];

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, ContactsDocument);
