// The page behind the link that resets a password: a new one is chosen, then the person signs in with it.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { useParams } from 'wouter';

import { PasswordResetOfferDocument, ResetPasswordDocument } from '../../gen/pages/entry/reset-password.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { EntryFrame } from './entry-frame.tsx';

export function ResetPasswordPage(): ReactNode {
  const { token } = useParams<{ token: string }>();
  const [done, setDone] = useState(false);
  const [{ data, error }, again] = useQuery({ query: PasswordResetOfferDocument, variables: { token } });
  if (done) {
    return (
      <EntryFrame
        title="Your password was changed"
        description="All sessions were signed out. Sign in with the new password."
      >
        <ButtonLink href="/sign-in">Go to sign-in</ButtonLink>
      </EntryFrame>
    );
  }
  if (data?.passwordReset) {
    const { email } = data.passwordReset;
    return <PasswordForm email={email} token={token} onDone={() => setDone(true)} />;
  }
  if (data) {
    return (
      <EntryFrame
        title="This link is no longer valid"
        description="It was used, replaced by a newer one, or is older than an hour."
      >
        <ButtonLink href="/forgot-password">Ask for a new link</ButtonLink>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title="Reset your password">
      {error ? (
        <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      ) : (
        <Skeleton className="h-24 w-full" />
      )}
    </EntryFrame>
  );
}

function PasswordForm({
  email,
  token,
  onDone,
}: {
  email: string;
  token: string;
  onDone: () => void;
}): ReactNode {
  const [password, setPassword] = useState('');
  const form = useMutationForm(ResetPasswordDocument, ['password']);
  return (
    <EntryFrame title="Choose a new password" description="All your sessions will be signed out.">
      <form
        noValidate
        className="space-y-4"
        onSubmit={form.onSubmit(() => ({ input: { token, password } }), onDone)}
      >
        <Field label="Email">
          <TextInput type="email" autoComplete="username" readOnly value={email} />
        </Field>
        <Field label="New password" hint="At least 12 characters" error={form.fieldError('password')}>
          <TextInput
            type="password"
            autoComplete="new-password"
            autoFocus
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        <FormError message={form.error} />
        <Button type="submit" variant="primary" className="w-full" busy={form.running}>
          Set password
        </Button>
      </form>
    </EntryFrame>
  );
}
