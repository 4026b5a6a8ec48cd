// The signing secret of a webhook, shown once when it is created or rotated.

import type { ReactNode } from 'react';

import { SecretDialog } from '../../ui/secret-dialog.tsx';

/** Open while there is a secret. */
export function WebhookSecretDialog({
  secret,
  onClose,
}: {
  secret: string | null;
  onClose: () => void;
}): ReactNode {
  return (
    <SecretDialog
      secret={secret}
      name="webhook secret"
      title="Copy the secret now"
      description="Your endpoint needs it to verify signatures. It cannot be shown again."
      copyLabel="Copy secret"
      onClose={onClose}
    />
  );
}
