// Deleting an inbound message.

import type { ReactNode } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';

import { DeleteInboundMessageDocument } from '../../gen/pages/inbound/inbound-message.ts';
import { errorText } from '../../graphql/error-text.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Goes back to the list after the deletion. */
export function DeleteInboundDialog({
  id,
  open,
  onClose,
}: {
  id: string;
  open: boolean;
  onClose: () => void;
}): ReactNode {
  const [, remove] = useMutation(DeleteInboundMessageDocument);
  const [, navigate] = useLocation();
  const toast = useToast();
  const confirm = async () => {
    const types = { additionalTypenames: ['InboundMessage', 'Mailbox'] };
    const { error } = await remove({ input: { id } }, types);
    if (error) return errorText(error);
    toast('Message deleted');
    navigate('/inbound', { replace: true });
    return null;
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Delete this message?"
      confirmLabel="Delete message"
      onConfirm={confirm}
    >
      <p>
        The message and its attachments are deleted for everyone in your account. This cannot be undone. A
        webhook delivery in progress continues.
      </p>
    </ConfirmDialog>
  );
}
