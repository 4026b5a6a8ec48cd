// Whether people sign in with it, whether they must, and who gets in without an invitation.

import { useState, type ReactNode } from 'react';

import { SaveSsoConnectionDocument, type SsoConnectionFragment } from '../../gen/pages/sso/sso.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SSO_CHANGED } from './sso-changed.ts';

/** The form. */
export function SignInRulesCard({ connection }: { connection: SsoConnectionFragment }): ReactNode {
  const [enabled, setEnabled] = useState(connection.enabled);
  const [required, setRequired] = useState(connection.required);
  const [domains, setDomains] = useState(connection.emailDomains.join(', '));
  const form = useMutationForm(SaveSsoConnectionDocument, ['emailDomains'], SSO_CHANGED);
  const toast = useToast();
  const input = () => ({
    input: { enabled, required, emailDomains: domains.split(/[\s,;]+/).filter((one) => one !== '') },
  });
  return (
    <Card title="3. Who signs in with it">
      <form noValidate className="space-y-4" onSubmit={form.onSubmit(input, () => toast('Saved'))}>
        <CheckBox
          label="Turned on"
          hint="Then open the sign-on URL above in another browser to try it, before you require it."
          checked={enabled}
          onChange={(event) => setEnabled(event.target.checked)}
        />
        <CheckBox
          label="Required for members"
          hint="Ends sessions that members began with a password. Owners may still use theirs: the way in when the identity provider is away."
          checked={required}
          onChange={(event) => setRequired(event.target.checked)}
        />
        <Field
          label="E-mail domains"
          optional
          hint="Unknown people with an address of these domains become members when they first sign in. List only domains for whose every address your identity provider vouches."
          error={form.fieldError('emailDomains')}
        >
          <TextInput
            value={domains}
            onChange={(event) => setDomains(event.target.value)}
            placeholder="example.com"
            spellCheck={false}
          />
        </Field>
        <FormError message={form.error} />
        <Button type="submit" variant="primary" busy={form.running}>
          Save
        </Button>
      </form>
    </Card>
  );
}
