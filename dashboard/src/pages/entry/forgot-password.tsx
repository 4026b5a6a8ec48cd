// Asking for the mail with the link that resets a password. What the page says does not depend on who has an account.

import { useState, type ReactNode } from 'react';

import { RequestPasswordResetDocument } from '../../gen/pages/entry/forgot-password.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { EntryFrame } from './entry-frame.tsx';

export function ForgotPasswordPage(): ReactNode {
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useMutationForm(RequestPasswordResetDocument, ['email']);
  if (sentTo !== null) {
    return (
      <EntryFrame
        title="Check your mail"
        description={`If ${sentTo} has an account, we sent a link to it. It works once, for one hour.`}
      >
        <ButtonLink href="/sign-in">Back to sign-in</ButtonLink>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title="Forgot your password?" description="We mail you a link to choose a new one.">
      <form
        noValidate
        className="space-y-4"
        onSubmit={form.onSubmit(
          () => ({ input: { email: email.trim() } }),
          () => setSentTo(email.trim()),
        )}
      >
        <Field label="Email" error={form.fieldError('email')}>
          <TextInput
            type="email"
            autoComplete="username"
            autoFocus
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <FormError message={form.error} />
        <div className="flex gap-2">
          <ButtonLink href="/sign-in">Back</ButtonLink>
          <Button type="submit" variant="primary" className="flex-1" busy={form.running}>
            Send link
          </Button>
        </div>
      </form>
    </EntryFrame>
  );
}
