// Deleting a template.

import type { ReactNode } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';

import { DeleteTemplateDocument } from '../../gen/pages/templates/template.ts';
import { errorText } from '../../graphql/error-text.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Goes back to the list after the deletion. */
export function DeleteTemplateDialog({
  template,
  open,
  onClose,
  onDeleted,
}: {
  template: { id: string; name: string };
  open: boolean;
  onClose: () => void;
  /** Before the list is shown: nothing is left to be saved. */
  onDeleted: () => void;
}): ReactNode {
  const [, remove] = useMutation(DeleteTemplateDocument);
  const [, navigate] = useLocation();
  const toast = useToast();
  const confirm = async () => {
    const { error } = await remove({ input: { id: template.id } }, { additionalTypenames: ['Template'] });
    if (error) return errorText(error);
    toast(`${template.name} was deleted`);
    onDeleted();
    navigate('/templates', { replace: true });
    return null;
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${template.name}?`}
      confirmLabel="Delete template"
      onConfirm={confirm}
    >
      <p>
        Requests that use this template will be rejected. Messages already accepted are still sent. This
        cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
