// Contact lists: create, rename, delete.

import { ListPlus, ListChecks } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { Link } from 'wouter';

import {
  ContactListsDocument,
  DeleteContactListDocument,
  type ContactListRowFragment,
} from '../../gen/pages/contacts/lists.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { errorText } from '../../graphql/error-text.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NumberText } from '../../ui/number-text.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ContactTabs } from './contact-tabs.tsx';
import { ListDialog, type ListToEdit } from './list-dialog.tsx';

export function ContactListsPage(): ReactNode {
  const [editing, setEditing] = useState<ListToEdit | null>(null);
  const [deleting, setDeleting] = useState<ContactListRowFragment | null>(null);
  const lists = useConnection({
    query: ContactListsDocument,
    pick: (data) => data.contactLists,
    typename: 'ContactList',
  });
  const create = (
    <Button variant="primary" icon={ListPlus} onClick={() => setEditing({ id: null, name: '' })}>
      Create list
    </Button>
  );
  return (
    <>
      <PageHeader title="Lists" description="Groups of contacts to send campaigns to." actions={create} />
      <ContactTabs current="/contacts/lists" />
      <Card flush>
        <DataTable
          label="Lists"
          columns={[...COLUMNS, actionsColumn(setEditing, setDeleting)]}
          connection={lists}
          rowKey={(list) => list.id}
          empty={
            <EmptyState icon={ListChecks} title="No lists yet" action={create}>
              Create a list, then import contacts or add them one by one.
            </EmptyState>
          }
        />
      </Card>
      <ListDialog list={editing} onClose={() => setEditing(null)} />
      <DeleteDialog list={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

const COLUMNS: readonly Column<ContactListRowFragment>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (list) => (
      <Link href={`/contacts?list=${list.id}`} className="text-accent-strong hover:underline">
        {list.name}
      </Link>
    ),
  },
  {
    id: 'contacts',
    header: 'Contacts',
    align: 'right',
    cell: (list) => <NumberText value={list.contactsCount} />,
  },
  { id: 'created', header: 'Created', cell: (list) => <Time value={list.createdAt} /> },
];

function actionsColumn(
  edit: (list: ListToEdit) => void,
  remove: (list: ContactListRowFragment) => void,
): Column<ContactListRowFragment> {
  return {
    id: 'actions',
    header: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (list) => (
      <span className="inline-flex gap-2">
        <Button size="small" onClick={() => edit(list)} aria-label={`Rename ${list.name}`}>
          Rename
        </Button>
        <Button size="small" onClick={() => remove(list)} aria-label={`Delete ${list.name}`}>
          Delete
        </Button>
      </span>
    ),
  };
}

function DeleteDialog({
  list,
  onClose,
}: {
  list: ContactListRowFragment | null;
  onClose: () => void;
}): ReactNode {
  const [, remove] = useMutation(DeleteContactListDocument);
  const toast = useToast();
  const confirm = async () => {
    if (list === null) return null;
    const types = { additionalTypenames: ['ContactList'] };
    const { error } = await remove({ input: { id: list.id } }, types);
    if (error) return errorText(error);
    toast(`${list.name} was deleted`);
    return null;
  };
  return (
    <ConfirmDialog
      open={list !== null}
      onClose={onClose}
      title={`Delete ${list?.name ?? 'the list'}?`}
      confirmLabel="Delete list"
      onConfirm={confirm}
    >
      <p>Its contacts are not deleted. Campaigns that send to this list are paused. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, ContactListsDocument);
