// The secret that signs deliveries: shown once, when it is made or changed.

import { RotateCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  UpdateInboundWebhookDocument,
  type WebhookSettingsFragment,
} from '../../gen/pages/inbound/webhook.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ConfirmDialog, Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';

/** When the secret was made, and a way to change it. `onSecret` gets the new one. */
export function WebhookSecretCard({
  webhook,
  onSecret,
}: {
  webhook: WebhookSettingsFragment;
  onSecret: (secret: string) => void;
}): ReactNode {
  const [rotating, setRotating] = useState(false);
  const [, update] = useMutation(UpdateInboundWebhookDocument);
  const rotate = async () => {
    const { data, error } = await update({ input: { rotateSecret: true } });
    if (error) return errorText(error);
    const secret = data?.updateInboundWebhook.secret;
    if (secret) onSecret(secret);
    return null;
  };
  return (
    <Card
      title="Secret"
      description="Your program checks with it that a delivery is ours."
      actions={
        <Button icon={RotateCw} onClick={() => setRotating(true)}>
          Change secret
        </Button>
      }
    >
      <DescriptionList
        items={[
          { term: 'Made', value: <Time value={webhook.createdAt} exact /> },
          { term: 'Changed', value: <Time value={webhook.rotatedAt} exact /> },
        ]}
      />
      <ConfirmDialog
        open={rotating}
        onClose={() => setRotating(false)}
        title="Change the secret?"
        confirmLabel="Make a new secret"
        onConfirm={rotate}
      >
        <p>
          Deliveries are signed with the new one from the next second on. Until your program knows it, it
          refuses them; let it answer with a status of 500 or above meanwhile, so that we try again.
        </p>
        <p>Or let your program take both secrets, then change it here.</p>
      </ConfirmDialog>
    </Card>
  );
}

/** The secret, this once. */
export function WebhookSecretDialog({
  secret,
  onClose,
}: {
  secret: string | null;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog
      open={secret !== null}
      onClose={onClose}
      title="Copy the secret now"
      description="Your program needs it to check the signature. It cannot be shown again."
      width="medium"
    >
      {secret === null ? null : (
        <>
          <CodeBlock code={secret} label="webhook secret" wrap />
          <DialogFooter>
            <CopyButton value={secret} label="Copy secret" />
            <Button variant="primary" onClick={onClose}>
              I have kept it
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}
