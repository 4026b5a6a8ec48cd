// Putting a tenant on another plan.

import { useState, type ReactNode } from 'react';

import { ChangePlanDocument } from '../../gen/pages/admin/tenant.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Select } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { PLAN_OPTIONS, type Plan } from './plan-words.ts';

export function PlanDialog({
  tenant: { id, name, plan: before },
  onClose,
}: {
  tenant: { id: string; name: string; plan: Plan };
  onClose: () => void;
}): ReactNode {
  const [plan, setPlan] = useState(before);
  const form = useMutationForm(ChangePlanDocument, ['plan'], { additionalTypenames: ['Tenant'] });
  const toast = useToast();
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Change the plan of ${name}`}
      description="The monthly quota and single sign-on change immediately."
    >
      <form
        noValidate
        className="space-y-5"
        onSubmit={form.onSubmit(
          () => ({ input: { tenantId: id, plan } }),
          () => {
            toast(`${name} is on plan ${plan}`);
            onClose();
          },
        )}
      >
        <Field label="Plan" error={form.fieldError('plan')}>
          <Select
            value={plan}
            onChange={(event) => setPlan(event.target.value as Plan)}
            options={PLAN_OPTIONS}
          />
        </Field>
        <FormError message={form.error} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.running} disabled={plan === before}>
            Change plan
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
