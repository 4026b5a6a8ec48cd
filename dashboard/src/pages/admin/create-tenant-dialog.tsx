// Creating a tenant: then its page is shown.

import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import { CreateTenantDocument } from '../../gen/pages/admin/tenants.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { PLAN_OPTIONS, type Plan } from './plan-words.ts';

export function CreateTenantDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [plan, setPlan] = useState<Plan>('free');
  const form = useMutationForm(CreateTenantDocument, ['name', 'plan'], { additionalTypenames: ['Tenant'] });
  const [, navigate] = useLocation();
  return (
    <Dialog open onClose={onClose} title="Create a tenant">
      <form
        noValidate
        className="space-y-5"
        onSubmit={form.onSubmit(
          () => ({ input: { name, plan } }),
          ({ createTenant }) => navigate(`/admin/tenants/${createTenant.tenant.id}`),
        )}
      >
        <Field label="Name" error={form.fieldError('name')}>
          <TextInput value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        </Field>
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
          <Button type="submit" variant="primary" busy={form.running} disabled={name.trim() === ''}>
            Create tenant
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
