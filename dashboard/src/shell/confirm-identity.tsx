// "Confirm it's you": the password again, and the second factor if there is one, before a sensitive change. The dialog is in
// front of whatever asked for the change.

import { useEffect, useRef, useState, type ReactNode } from 'react';

import { ConfirmIdentityDocument } from '../gen/shell/confirm-identity.ts';
import { askIdentityBy } from '../graphql/use-confirmed-mutation.ts';
import { useMutationForm } from '../graphql/use-mutation-form.ts';
import { useViewer } from '../graphql/viewer.tsx';
import { CodeField, useAsksCode } from '../pages/entry/code-field.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { Field, FormError } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';

/** Once around the pages of a signed-in person: shows the dialog when a mutation needs it. */
export function ConfirmIdentity(): ReactNode {
  const { session, tenant } = useViewer();
  const answer = useRef<((confirmed: boolean) => void) | null>(null);
  const [open, setOpen] = useState(false);
  const close = (confirmed: boolean) => {
    answer.current?.(confirmed);
    answer.current = null;
    setOpen(false);
  };
  useEffect(
    () =>
      askIdentityBy(() => {
        answer.current?.(false);
        setOpen(true);
        return new Promise((resolve) => (answer.current = resolve));
      }),
    [],
  );
  return (
    <Dialog
      open={open}
      onClose={() => close(false)}
      title="Confirm it’s you"
      description={
        session.method === 'saml'
          ? 'This change needs a recent sign-in. Sign in with SSO again, then repeat it.'
          : 'This change needs your password. You are not asked again for 10 minutes.'
      }
    >
      {session.method === 'saml' ? (
        <DialogFooter>
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button variant="primary" onClick={() => location.assign(`/saml/${tenant.id}/login`)}>
            Sign in with SSO
          </Button>
        </DialogFooter>
      ) : (
        <PasswordForm onClose={close} />
      )}
    </Dialog>
  );
}

function PasswordForm({ onClose }: { onClose: (confirmed: boolean) => void }): ReactNode {
  const { user } = useViewer();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const form = useMutationForm(ConfirmIdentityDocument, ['password', 'code']);
  const asksCode = useAsksCode(form.code);
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={form.onSubmit(
        () => ({ input: { password, ...(asksCode && { code }) } }),
        () => onClose(true),
      )}
    >
      <input type="email" autoComplete="username" value={user.email} readOnly hidden />
      <Field label="Password" error={form.fieldError('password')}>
        <TextInput
          type="password"
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {asksCode ? <CodeField value={code} onChange={setCode} error={form.fieldError('code')} /> : null}
      <FormError message={form.code === 'second_factor_required' ? null : form.error} />
      <DialogFooter>
        <Button onClick={() => onClose(false)}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running}>
          Confirm
        </Button>
      </DialogFooter>
    </form>
  );
}
