// Inviting a person: first their address and role, then the link, which is shown once.

import { useState, type ReactNode } from 'react';

import { InvitePersonDocument } from '../../gen/pages/people/people.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { ROLES, toRole, type GivenRole } from './roles.ts';

interface Invited {
  email: string;
  link: string;
}

/** Asks for address and role, then shows the link. Each opening starts with an empty form. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const [invited, setInvited] = useState<Invited | null>(null);
  const close = () => {
    setInvited(null);
    onClose();
  };
  if (invited !== null) return <LinkDialog invited={invited} onClose={close} />;
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
  onInvited: (invited: Invited) => void;
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
        ({ invitePerson: { invitation, link } }) => onInvited({ email: invitation.email, link }),
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
          Create invitation link
        </Button>
      </DialogFooter>
    </form>
  );
}

function LinkDialog({ invited, onClose }: { invited: Invited; onClose: () => void }): ReactNode {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Send this link to ${invited.email}`}
      description="Whoever opens it sets a password and joins. It works once, expires in 7 days and is not shown again."
      width="medium"
    >
      <CodeBlock code={invited.link} label="invitation link" wrap />
      <DialogFooter>
        <CopyButton value={invited.link} label="Copy link" />
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
