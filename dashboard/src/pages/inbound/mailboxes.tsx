// The list of mailboxes.

import { AtSign, Plus } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  DeleteMailboxDocument,
  MailboxesDocument,
  type MailboxRowFragment,
} from '../../gen/pages/inbound/mailboxes.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { errorText } from '../../graphql/error-text.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CreateMailboxDialog } from './create-mailbox-dialog.tsx';
import { InboundTabs } from './inbound-tabs.tsx';
import { RenameMailboxDialog } from './rename-mailbox-dialog.tsx';

export function MailboxesPage(): ReactNode {
  const [creating, setCreating] = useState(false);
  const [renaming, setRenaming] = useState<MailboxRowFragment | null>(null);
  const [deleting, setDeleting] = useState<MailboxRowFragment | null>(null);
  const mailboxes = useConnection({
    query: MailboxesDocument,
    pick: (data) => data.mailboxes,
    typename: 'Mailbox',
  });
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      Create mailbox
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Mailboxes"
        description="A mailbox groups the mail of one address. The inbox also shows mail without a mailbox."
        actions={create}
      />
      <InboundTabs current="/inbound/mailboxes" />
      <Card flush>
        <DataTable
          label="Mailboxes"
          columns={[...COLUMNS, actionsColumn(setRenaming, setDeleting)]}
          connection={mailboxes}
          rowKey={(mailbox) => mailbox.id}
          rowHref={(mailbox) => `/inbound?mailbox=${mailbox.id}`}
          empty={
            <EmptyState icon={AtSign} title="No mailboxes yet" action={create}>
              Create a mailbox for an address such as support@ your domain, or a catch-all for all addresses
              of a domain.
            </EmptyState>
          }
        />
      </Card>
      <CreateMailboxDialog open={creating} onClose={() => setCreating(false)} />
      <RenameMailboxDialog mailbox={renaming} onClose={() => setRenaming(null)} />
      <DeleteDialog mailbox={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

const COLUMNS: readonly Column<MailboxRowFragment>[] = [
  {
    id: 'address',
    header: 'Address',
    cell: ({ address }) => (
      <>
        <Address>{address}</Address>
        {address.startsWith('*@') ? (
          <span className="ml-2">
            <Badge>catch-all</Badge>
          </span>
        ) : null}
      </>
    ),
  },
  {
    id: 'name',
    header: 'Name',
    className: 'sm:max-w-64',
    cell: ({ name }) => name ?? <span className="text-muted">none</span>,
  },
  {
    id: 'unread',
    header: 'Unread',
    cell: ({ unread }) =>
      unread === 0 ? (
        <span className="text-muted">0</span>
      ) : (
        <Badge tone="accent">{`${unread} unread`}</Badge>
      ),
  },
  { id: 'created', header: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

function actionsColumn(
  rename: (mailbox: MailboxRowFragment) => void,
  remove: (mailbox: MailboxRowFragment) => void,
): Column<MailboxRowFragment> {
  return {
    id: 'actions',
    header: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (mailbox) => (
      <span className="inline-flex gap-2">
        <Button size="small" onClick={() => rename(mailbox)} aria-label={`Rename ${mailbox.address}`}>
          Rename
        </Button>
        <Button size="small" onClick={() => remove(mailbox)} aria-label={`Delete ${mailbox.address}`}>
          Delete
        </Button>
      </span>
    ),
  };
}

function DeleteDialog({
  mailbox,
  onClose,
}: {
  mailbox: MailboxRowFragment | null;
  onClose: () => void;
}): ReactNode {
  const [, remove] = useMutation(DeleteMailboxDocument);
  const toast = useToast();
  const confirm = async () => {
    if (mailbox === null) return null;
    const types = { additionalTypenames: ['Mailbox', 'InboundMessage'] };
    const { error } = await remove({ input: { id: mailbox.id } }, types);
    if (error) return errorText(error);
    toast(`${mailbox.address} was deleted`);
    return null;
  };
  return (
    <ConfirmDialog
      open={mailbox !== null}
      onClose={onClose}
      title={`Delete ${mailbox?.address ?? 'the mailbox'}?`}
      confirmLabel="Delete mailbox"
      onConfirm={confirm}
    >
      <p>
        Its messages stay in the inbox, without a mailbox. The address still receives mail while the domain
        does. This cannot be undone. A new mailbox for the address starts empty.
      </p>
    </ConfirmDialog>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, MailboxesDocument);
