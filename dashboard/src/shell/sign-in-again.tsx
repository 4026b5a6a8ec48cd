// The session ended while a page is open: its person signs in over it, and the page stays with everything that was typed.

import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Provider, useClient } from 'urql';

import { SwitchTenantDocument } from '../gen/graphql/viewer.ts';
import { LoginDocument } from '../gen/pages/entry/sign-in.ts';
import { createSignInClient } from '../graphql/client.ts';
import {
  forget,
  isOfThisPage,
  keepPageAtEnd,
  onSessionChange,
  sessionState,
  startSession,
} from '../graphql/session.ts';
import { useMutationForm } from '../graphql/use-mutation-form.ts';
import { useViewer } from '../graphql/viewer.tsx';
import { CodeField, useAsksCode } from '../pages/entry/code-field.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { Field, FormError } from '../ui/field.tsx';
import { askToLeave } from '../ui/leave-question.tsx';
import { TextInput } from '../ui/text-input.tsx';

/** Once around the pages of a signed-in person: keeps them when the session ends, and asks to sign in. */
export function SignInAgain(): ReactNode {
  const { user, session, tenant } = useViewer();
  const [client] = useState(createSignInClient);
  const ended = useSyncExternalStore(onSessionChange, sessionState) === 'ended';
  useEffect(keepPageAtEnd, []);
  return (
    <Dialog
      open={ended}
      onClose={null}
      title="Sign in to continue"
      description={`Your session has ended. Sign in as ${user.email}: the page stays as it is, with unsaved changes.`}
    >
      {session.method === 'saml' ? (
        <DialogFooter>
          <OtherAccount />
          <Button
            variant="primary"
            onClick={() => window.open(`/saml/${tenant.id}/login`, '_blank', 'noopener')}
          >
            Sign in with SSO in a new tab
          </Button>
        </DialogFooter>
      ) : (
        <Provider value={client}>
          <PasswordForm />
        </Provider>
      )}
    </Dialog>
  );
}

function PasswordForm(): ReactNode {
  const { user, tenant } = useViewer();
  const client = useClient();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const form = useMutationForm(LoginDocument, ['password', 'code']);
  const asksCode = useAsksCode(form.code);
  // A sign-in begins in the person's first tenant; the page may be of another one.
  const begin = async (value: string) => {
    if (isOfThisPage(value)) return startSession(value);
    const headers = { authorization: `Bearer ${value}` };
    const { data } = await client.mutation(
      SwitchTenantDocument,
      { input: { tenantId: tenant.id } },
      { fetchOptions: { headers } },
    );
    startSession(data?.switchTenant.accessToken ?? value);
  };
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={form.onSubmit(
        () => ({ input: { email: user.email, password, code: asksCode ? code : null } }),
        (data) => void begin(data.login.accessToken),
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
        <OtherAccount />
        <Button type="submit" variant="primary" busy={form.running}>
          Sign in
        </Button>
      </DialogFooter>
    </form>
  );
}

function OtherAccount(): ReactNode {
  return <Button onClick={() => askToLeave(forget)}>Use another account</Button>;
}
