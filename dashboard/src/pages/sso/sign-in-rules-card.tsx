// Whether single sign-on is enabled, whether it is required, and who may join without an invitation.

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

/** The form of the sign-in rules. */
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
    <Card title="3. Sign-in rules">
      <form noValidate className="space-y-4" onSubmit={form.onSubmit(input, () => toast('Saved'))}>
        <CheckBox
          label="Enabled"
          hint="Test it before you require it: open the sign-on URL above in another browser."
          checked={enabled}
          onChange={(event) => setEnabled(event.target.checked)}
        />
        <CheckBox
          label="Required for members"
          hint="Signs out members who signed in with a password. Owners can still use theirs, in case the identity provider is down."
          checked={required}
          onChange={(event) => setRequired(event.target.checked)}
        />
        <Field
          label="Email domains"
          optional
          hint="Anyone with an address at these domains becomes a member at their first sign-in, without an invitation. Only domains that are verified on the Domains page."
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
