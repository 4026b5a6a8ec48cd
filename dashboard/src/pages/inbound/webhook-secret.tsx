// The signing secret, shown once when it is created or rotated.

import { RotateCw } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';

import {
  UpdateInboundWebhookDocument,
  type WebhookSettingsFragment,
} from '../../gen/pages/inbound/webhook.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConfirmedMutation } from '../../graphql/use-confirmed-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';

/** The age of the secret, and its rotation. `onSecret` receives the new one. */
export function WebhookSecretCard({
  webhook,
  onSecret,
}: {
  webhook: WebhookSettingsFragment;
  onSecret: (secret: string) => void;
}): ReactNode {
  const [rotating, setRotating] = useState(false);
  const [, update] = useConfirmedMutation(UpdateInboundWebhookDocument);
  const rotate = async () => {
    const { data, error } = await update({ input: { rotateSecret: true } });
    if (error) return errorText(error);
    const secret = data?.updateInboundWebhook.secret;
    if (secret) onSecret(secret);
    return null;
  };
  return (
    <Card
      title="Signing secret"
      description="Your endpoint uses it to verify that a request is ours."
      actions={
        <Button icon={RotateCw} onClick={() => setRotating(true)}>
          Rotate secret
        </Button>
      }
    >
      <DescriptionList
        items={[
          { term: 'Created', value: <Time value={webhook.createdAt} exact /> },
          { term: 'Rotated', value: <Time value={webhook.rotatedAt} exact /> },
        ]}
      />
      <ConfirmDialog
        open={rotating}
        onClose={() => setRotating(false)}
        title="Rotate the secret?"
        confirmLabel="Rotate secret"
        onConfirm={rotate}
      >
        <p>
          Deliveries are signed with the new secret within a second. Until your endpoint uses it, verification
          fails; respond with a 5xx status meanwhile, so that we retry.
        </p>
        <p>To avoid failures, let your endpoint accept both secrets during the change.</p>
      </ConfirmDialog>
    </Card>
  );
}
