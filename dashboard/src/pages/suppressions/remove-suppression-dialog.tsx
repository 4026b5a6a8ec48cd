// Removing a suppression, with a warning.

import type { ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  RemoveSuppressionDocument,
  type SuppressionRowFragment,
} from '../../gen/pages/suppressions/suppressions.ts';
import { errorText } from '../../graphql/error-text.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SUPPRESSION_REASONS, SUPPRESSION_STREAMS } from './reasons.ts';

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
    toast(`${email} is no longer suppressed`);
    return null;
  };
  const stream = SUPPRESSION_STREAMS.find(({ value }) => value === suppression?.stream);
  const reason = SUPPRESSION_REASONS.find(({ value }) => value === suppression?.reason);
  return (
    <ConfirmDialog
      open={suppression !== null}
      onClose={onClose}
      title="Remove this suppression?"
      confirmLabel="Remove suppression"
      onConfirm={confirm}
    >
      <p className="text-ink font-medium [overflow-wrap:anywhere]">{suppression?.email}</p>
      {reason ? <p className="bg-warn-soft text-warn rounded-md px-3 py-2">{reason.warning}</p> : null}
      <p>{stream?.sentAgain}</p>
    </ConfirmDialog>
  );
}
