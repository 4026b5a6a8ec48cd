// Suspending or reactivating a tenant, after a question.

import { useState, type ReactNode } from 'react';

import { ReactivateTenantDocument, SuspendTenantDocument } from '../../gen/pages/admin/tenant.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConfirmedMutation } from '../../graphql/use-confirmed-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

const CHANGED = { additionalTypenames: ['Tenant'] };

export function TenantStatusButton({
  tenant: { id, name, status },
}: {
  tenant: { id: string; name: string; status: 'active' | 'suspended' };
}): ReactNode {
  const [open, setOpen] = useState(false);
  const [, suspend] = useConfirmedMutation(SuspendTenantDocument);
  const [, reactivate] = useConfirmedMutation(ReactivateTenantDocument);
  const toast = useToast();
  const isSuspended = status === 'suspended';
  const confirm = async () => {
    const { error } = await (isSuspended ? reactivate : suspend)({ input: { tenantId: id } }, CHANGED);
    if (error) return errorText(error);
    toast(`${name} was ${isSuspended ? 'reactivated' : 'suspended'}`);
    return null;
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{isSuspended ? 'Reactivate' : 'Suspend'}</Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`${isSuspended ? 'Reactivate' : 'Suspend'} ${name}?`}
        confirmLabel={`${isSuspended ? 'Reactivate' : 'Suspend'} tenant`}
        danger={!isSuspended}
        onConfirm={confirm}
      >
        {isSuspended ? (
          <p>Waiting messages are sent as far as today’s caps allow. The owners get an email.</p>
        ) : (
          <>
            <p>Within a second the tenant can neither send nor receive. Its people can still sign in.</p>
            <p>Waiting messages are kept, and expire as usual. The owners get an email.</p>
          </>
        )}
      </ConfirmDialog>
    </>
  );
}
