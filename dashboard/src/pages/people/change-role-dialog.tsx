// Changing a person's role.

import { useState, type ReactNode } from 'react';

import { ChangeRoleDocument, type PersonRowFragment } from '../../gen/pages/people/people.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Select } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ROLES, toRole } from './roles.ts';

/** Open while there is a person. Give it the person's id as `key`. */
export function ChangeRoleDialog({
  person,
  onClose,
}: {
  person: PersonRowFragment | null;
  onClose: () => void;
}): ReactNode {
  const [role, setRole] = useState(toRole(person?.role ?? 'member'));
  const form = useMutationForm(ChangeRoleDocument, ['role']);
  const toast = useToast();
  if (person === null) return null;
  return (
    <Dialog open onClose={onClose} title={`Change the role of ${person.email}`}>
      <form
        noValidate
        className="space-y-5"
        onSubmit={form.onSubmit(
          () => ({ input: { userId: person.id, role } }),
          () => {
            toast(`${person.email} is now ${role === 'owner' ? 'an' : 'a'} ${role}`);
            onClose();
          },
        )}
      >
        <Field
          label="Role"
          hint="Takes effect immediately, in open sessions too."
          error={form.fieldError('role')}
        >
          <Select value={role} onChange={(event) => setRole(toRole(event.target.value))} options={ROLES} />
        </Field>
        <FormError message={form.error} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.running}>
            Change role
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
