// Taking away the second factor of a person who lost it.

import type { ReactNode } from 'react';

import { ResetSecondFactorDocument, type PersonRowFragment } from '../../gen/pages/people/people.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConfirmedMutation } from '../../graphql/use-confirmed-mutation.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Open while there is a person. */
export function ResetSecondFactorDialog({
  person,
  onClose,
}: {
  person: PersonRowFragment | null;
  onClose: () => void;
}): ReactNode {
  const [, reset] = useConfirmedMutation(ResetSecondFactorDocument);
  const toast = useToast();
  const confirm = async () => {
    if (person === null) return null;
    const { error } = await reset({ input: { userId: person.id } });
    if (error) return errorText(error);
    toast(`${person.email} can sign in with only a password now`);
    return null;
  };
  return (
    <ConfirmDialog
      open={person !== null}
      onClose={onClose}
      title={`Reset two-factor authentication of ${person?.email ?? ''}?`}
      confirmLabel="Reset two-factor"
      onConfirm={confirm}
    >
      <p>They are signed out everywhere and sign in with only their password until they set it up again.</p>
      <p>First make sure, by phone or in person, that they asked for this.</p>
    </ConfirmDialog>
  );
}
