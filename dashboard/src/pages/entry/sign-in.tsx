// Signing in with a password or SSO, then back to the page that was asked for.

import { ShieldCheck } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { Link, Redirect, useSearch } from 'wouter';

import { LoginDocument } from '../../gen/pages/entry/sign-in.ts';
import { sessionState, startSession } from '../../graphql/session.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { CodeField, useAsksCode } from './code-field.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { nextPath } from './next-path.ts';
import { SsoForm } from './sso-form.tsx';

export function SignInPage(): ReactNode {
  const search = useSearch();
  const [sso, setSso] = useState(false);
  if (sessionState() === 'signed-in') return <Redirect to={nextPath(search, location.origin)} replace />;
  if (sso) {
    return (
      <EntryFrame title="Sign in with SSO" description="You continue on your company’s sign-in page.">
        <SsoForm onBack={() => setSso(false)} />
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title="Sign in">
      <PasswordForm />
      <div className="text-muted my-4 flex items-center gap-3 text-[13px]" aria-hidden="true">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
      <Button className="w-full" icon={ShieldCheck} onClick={() => setSso(true)}>
        Sign in with SSO
      </Button>
    </EntryFrame>
  );
}

function PasswordForm(): ReactNode {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const form = useMutationForm(LoginDocument, ['email', 'password', 'code']);
  const asksCode = useAsksCode(form.code);
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={form.onSubmit(
        () => ({ input: { email: email.trim(), password, code: asksCode ? code : null } }),
        (data) => startSession(data.login.accessToken),
      )}
    >
      <Field label="Email" error={form.fieldError('email')}>
        <TextInput
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label="Password" error={form.fieldError('password')}>
        <TextInput
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {asksCode ? <CodeField value={code} onChange={setCode} error={form.fieldError('code')} /> : null}
      <FormError message={form.code === 'second_factor_required' ? null : form.error} />
      <Button type="submit" variant="primary" className="w-full" busy={form.running}>
        Sign in
      </Button>
      <p className="text-center text-[13px]">
        <Link href="/forgot-password" className="text-accent-strong hover:underline">
          Forgot password?
        </Link>
      </p>
    </form>
  );
}
