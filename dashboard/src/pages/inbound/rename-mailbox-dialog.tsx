// Renaming a mailbox. Its address does not change.

import { useState, type ReactNode } from 'react';

import { RenameMailboxDocument, type MailboxRowFragment } from '../../gen/pages/inbound/mailboxes.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Open while there is a mailbox to rename. */
export function RenameMailboxDialog({
  mailbox,
  onClose,
}: {
  mailbox: MailboxRowFragment | null;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog open={mailbox !== null} onClose={onClose} title={`Rename ${mailbox?.address ?? 'the mailbox'}`}>
      {mailbox === null ? null : <RenameForm key={mailbox.id} mailbox={mailbox} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({ mailbox, onClose }: { mailbox: MailboxRowFragment; onClose: () => void }): ReactNode {
  const [name, setName] = useState(mailbox.name ?? '');
  const form = useMutationForm(RenameMailboxDocument, ['name']);
  const toast = useToast();
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: { id: mailbox.id, name: name.trim() || null } }),
        () => {
          toast(`${mailbox.address} was renamed`);
          onClose();
        },
      )}
    >
      <Field label="Name" optional error={form.fieldError('name')}>
        <TextInput value={name} onChange={(event) => setName(event.target.value)} maxLength={200} autoFocus />
      </Field>
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running}>
          Save
        </Button>
      </DialogFooter>
    </form>
  );
}
