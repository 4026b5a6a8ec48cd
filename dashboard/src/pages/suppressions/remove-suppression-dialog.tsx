// Taking an address off the list, with a warning.

import type { ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  RemoveSuppressionDocument,
  type SuppressionRowFragment,
} from '../../gen/pages/suppressions/suppressions.ts';
import { errorText } from '../../graphql/error-text.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SUPPRESSION_REASONS } from './reasons.ts';

export function RemoveSuppressionDialog({
  suppression,
  onClose,
}: {
  suppression: SuppressionRowFragment | null;
  onClose: () => void;
}): ReactNode {
  const [, remove] = useMutation(RemoveSuppressionDocument);
  const toast = useToast();
  const confirm = async () => {
    if (suppression === null) return null;
    const { email } = suppression;
    const { error } = await remove({ input: { email } }, { additionalTypenames: ['Suppression'] });
    if (error) return errorText(error);
    toast(`${email} may get mail again`);
    return null;
  };
  const reason = SUPPRESSION_REASONS.find(({ value }) => value === suppression?.reason);
  return (
    <ConfirmDialog
      open={suppression !== null}
      onClose={onClose}
      title="Take this address off the list?"
      confirmLabel="Remove"
      onConfirm={confirm}
    >
      <p className="text-ink font-medium [overflow-wrap:anywhere]">{suppression?.email}</p>
      {reason ? <p className="bg-warn-soft text-warn rounded-md px-3 py-2">{reason.warning}</p> : null}
      <p>From the next second on, mail to it is sent again.</p>
    </ConfirmDialog>
  );
}
