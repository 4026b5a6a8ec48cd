// Invitations that nobody has accepted yet.

import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';

import {
  InvitePersonDocument,
  OpenInvitationsDocument,
  RevokeInvitationDocument,
  type InvitationRowFragment,
} from '../../gen/pages/people/people.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConfirmedMutation } from '../../graphql/use-confirmed-mutation.ts';
import { Address } from '../../ui/address.tsx';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';

/** The open invitations, each with buttons that send it again and revoke it. */
export function InvitationsCard(): ReactNode {
  const [revoking, setRevoking] = useState<InvitationRowFragment | null>(null);
  const [{ data, error }, again] = useQuery({
    query: OpenInvitationsDocument,
    context: INVITATIONS,
  });
  const [, invite] = useConfirmedMutation(InvitePersonDocument);
  const toast = useToast();
  const resend = async ({ email, role }: InvitationRowFragment) => {
    const result = await invite({ input: { email, role } }, INVITATIONS);
    if (result.error) toast(errorText(result.error), 'bad');
    else if (result.data?.invitePerson.invitation.mail === null) toast('The mail could not be sent', 'bad');
    else toast(`Invitation sent to ${email}`);
  };
  return (
    <Card
      className="mt-6"
      title="Open invitations"
      description="Invitations that have not been accepted yet. Resending replaces the link."
      flush={Boolean(data)}
    >
      {data ? (
        <DataTable
          label="Open invitations"
          columns={[...COLUMNS, actionsColumn({ resend, revoke: setRevoking })]}
          rows={data.invitations}
          rowKey={(one) => one.id}
          empty={<p className="text-muted px-5 pb-5">No open invitations.</p>}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      ) : (
        <Skeleton className="w-2/5" />
      )}
      <RevokeDialog invitation={revoking} onClose={() => setRevoking(null)} />
    </Card>
  );
}

const INVITATIONS = { additionalTypenames: ['Invitation'] }; // an empty list names no type by itself

const COLUMNS: readonly Column<InvitationRowFragment>[] = [
  {
    id: 'email',
    header: 'Email',
    cell: (one) => <Address>{one.email}</Address>,
  },
  { id: 'role', header: 'Role', cell: (one) => <Badge>{one.role}</Badge> },
  {
    id: 'mail',
    header: 'Mail',
    cell: (one) =>
      one.mail === null ? <Badge tone="warn">not sent</Badge> : <StatusBadge status={one.mail} />,
  },
  { id: 'by', header: 'Invited by', cell: (one) => one.invitedBy ?? 'a former member' },
  { id: 'until', header: 'Expires', cell: (one) => <Time value={one.expiresAt} exact /> },
];

function actionsColumn({
  resend,
  revoke,
}: {
  resend: (one: InvitationRowFragment) => Promise<void>;
  revoke: (one: InvitationRowFragment) => void;
}): Column<InvitationRowFragment> {
  return {
    id: 'actions',
    header: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (one) => (
      <span className="inline-flex flex-wrap gap-2">
        <Button
          size="small"
          onClick={() => void resend(one)}
          aria-label={`Resend the invitation of ${one.email}`}
        >
          Resend
        </Button>
        <Button size="small" onClick={() => revoke(one)} aria-label={`Revoke the invitation of ${one.email}`}>
          Revoke
        </Button>
      </span>
    ),
  };
}

function RevokeDialog({
  invitation,
  onClose,
}: {
  invitation: InvitationRowFragment | null;
  onClose: () => void;
}): ReactNode {
  const [, revoke] = useMutation(RevokeInvitationDocument);
  const toast = useToast();
  const confirm = async () => {
    if (invitation === null) return null;
    const { error } = await revoke({ input: { id: invitation.id } }, INVITATIONS);
    if (error) return errorText(error);
    toast('Invitation revoked');
    return null;
  };
  return (
    <ConfirmDialog
      open={invitation !== null}
      onClose={onClose}
      title={`Revoke the invitation of ${invitation?.email ?? ''}?`}
      confirmLabel="Revoke invitation"
      onConfirm={confirm}
    >
      <p>The link stops working. You can invite the same address again.</p>
    </ConfirmDialog>
  );
}
