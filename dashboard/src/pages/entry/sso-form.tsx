// SSO sign-in: asks for the address, then goes to the identity provider of its tenant.

import { useState, type FormEvent, type ReactNode } from 'react';
import { useClient } from 'urql';

import { SsoUrlDocument } from '../../gen/pages/entry/sso-form.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** The form for the work email address. */
export function SsoForm({ onBack }: { onBack: () => void }): ReactNode {
  const client = useClient();
  const [email, setEmail] = useState('');
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    const address = email.trim();
    const result = await client
      .query(SsoUrlDocument, { email: address }, { requestPolicy: 'network-only' })
      .toPromise();
    setRunning(false);
    const url = result.data?.ssoUrl;
    if (url) location.assign(url);
    else if (result.error) setError(errorText(result.error));
    else setError('Single sign-on is not set up for this address. Sign in with your password.');
  };
  return (
    <form noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
      <Field label="Work email">
        <TextInput
          type="email"
          autoComplete="username"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <FormError message={error} />
      <div className="flex gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" variant="primary" className="flex-1" busy={running}>
          Continue
        </Button>
      </div>
    </form>
  );
}
