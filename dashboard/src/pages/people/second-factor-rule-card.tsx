// Whether everybody of the account needs a second factor.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import { RequireSecondFactorDocument, TenantSecondFactorDocument } from '../../gen/pages/people/people.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConfirmedMutation } from '../../graphql/use-confirmed-mutation.ts';
import { Card } from '../../ui/card.tsx';
import { Switch } from '../../ui/check-box.tsx';
import { useToast } from '../../ui/toast.tsx';

export function SecondFactorRuleCard(): ReactNode {
  const [{ data }] = useQuery({ query: TenantSecondFactorDocument });
  const [saved, setSaved] = useState<boolean | null>(null); // what is read may be a second old
  const [running, require] = useConfirmedMutation(RequireSecondFactorDocument);
  const toast = useToast();
  const set = async (required: boolean) => {
    const { error } = await require({ input: { required } });
    if (error) return toast(errorText(error), 'bad');
    setSaved(required);
    toast(
      required ? 'Two-factor authentication is required now' : 'Two-factor authentication is optional now',
    );
  };
  return (
    <Card className="mt-6" title="Two-factor authentication">
      <Switch
        label="Required for everybody"
        hint="People without it can only set it up until they have. Sign-ins with SSO are not affected: your identity provider decides."
        checked={saved ?? data?.viewer.tenant.secondFactorRequired ?? false}
        disabled={running || data === undefined}
        onChange={(required) => void set(required)}
      />
    </Card>
  );
}
