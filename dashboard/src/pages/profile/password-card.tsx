// Changing one's own password.

import { useState, type ReactNode } from 'react';

import { ChangePasswordDocument } from '../../gen/pages/profile/profile.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';

/** The hidden address lets password managers keep the new password with the right account. */
export function PasswordCard({ email }: { email: string }): ReactNode {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const form = useMutationForm(ChangePasswordDocument, ['currentPassword', 'newPassword']);
  const toast = useToast();
  const done = () => {
    setCurrent('');
    setNew('');
    toast('Password changed. All other sessions were signed out.');
  };
  return (
    <Card title="Password" description="Changing your password signs you out of all other sessions.">
      <form
        noValidate
        className="max-w-sm space-y-4"
        onSubmit={form.onSubmit(() => ({ input: { currentPassword, newPassword } }), done)}
      >
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <Field label="Current password" error={form.fieldError('currentPassword')}>
          <TextInput
            type="password"
            autoComplete="current-password"
            value={currentPassword}
            onChange={(event) => setCurrent(event.target.value)}
          />
        </Field>
        <Field label="New password" hint="At least 12 characters" error={form.fieldError('newPassword')}>
          <TextInput
            type="password"
            autoComplete="new-password"
            value={newPassword}
            onChange={(event) => setNew(event.target.value)}
          />
        </Field>
        <FormError message={form.error} />
        <Button type="submit" busy={form.running}>
          Change password
        </Button>
      </form>
    </Card>
  );
}
