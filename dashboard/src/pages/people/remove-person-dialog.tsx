// Removing a person from the account.

import type { ReactNode } from 'react';

import { RemovePersonDocument, type PersonRowFragment } from '../../gen/pages/people/people.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConfirmedMutation } from '../../graphql/use-confirmed-mutation.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

const CHANGED = { additionalTypenames: ['User', 'Invitation'] }; // their invitations end with them

/** Asks for confirmation, then removes the person. */
export function RemovePersonDialog({
  person,
  onClose,
}: {
  person: PersonRowFragment | null;
  onClose: () => void;
}): ReactNode {
  const [, remove] = useConfirmedMutation(RemovePersonDocument);
  const toast = useToast();
  const confirm = async () => {
    if (person === null) return null;
    const { error } = await remove({ input: { userId: person.id } }, CHANGED);
    if (error) return errorText(error);
    toast(`${person.email} was removed`);
    return null;
  };
  return (
    <ConfirmDialog
      open={person !== null}
      onClose={onClose}
      title={`Remove ${person?.email ?? ''}?`}
      confirmLabel="Remove person"
      onConfirm={confirm}
    >
      <p>They are signed out within a second. Invitations they created are revoked.</p>
      <p>API keys keep working. Revoke the ones this person knows.</p>
    </ConfirmDialog>
  );
}
