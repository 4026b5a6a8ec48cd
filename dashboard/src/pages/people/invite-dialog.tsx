// Inviting a person: their address and role; the link goes to that address by mail.

import { useState, type ReactNode } from 'react';

import { InvitePersonDocument, type InvitationRowFragment } from '../../gen/pages/people/people.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { ROLES, toRole, type GivenRole } from './roles.ts';

/** Asks for address and role, then says where the mail went. Each opening starts with an empty form. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const [invited, setInvited] = useState<InvitationRowFragment | null>(null);
  const close = () => {
    setInvited(null);
    onClose();
  };
  if (invited !== null) return <SentDialog invited={invited} onClose={close} />;
  return (
    <Dialog open={open} onClose={close} title="Invite a person">
      <InviteForm onInvited={setInvited} onCancel={close} />
    </Dialog>
  );
}

function InviteForm({
  onInvited,
  onCancel,
}: {
  onInvited: (invited: InvitationRowFragment) => void;
  onCancel: () => void;
}): ReactNode {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<GivenRole>('member');
  const form = useMutationForm(InvitePersonDocument, ['email', 'role']);
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: { email: email.trim(), role } }),
        ({ invitePerson: { invitation } }) => onInvited(invitation),
      )}
    >
      <Field label="Email" error={form.fieldError('email')}>
        <TextInput
          type="email"
          autoComplete="off"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label="Role" error={form.fieldError('role')}>
        <Select value={role} onChange={(event) => setRole(toRole(event.target.value))} options={ROLES} />
      </Field>
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running}>
          Send invitation
        </Button>
      </DialogFooter>
    </form>
  );
}

function SentDialog({
  invited,
  onClose,
}: {
  invited: InvitationRowFragment;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog
      open
      onClose={onClose}
      title={invited.mail === null ? 'The invitation was not sent' : 'Invitation sent'}
      description={
        invited.mail === null
          ? `The mail to ${invited.email} could not be sent. Resend it from the open invitations.`
          : `We sent the invitation to ${invited.email}. The link in it works once and expires in 7 days.`
      }
    >
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
