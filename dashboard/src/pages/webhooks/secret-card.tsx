// The age of the signing secret, and its rotation with an overlap.

import { RotateCw } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import { RotateWebhookSecretDocument, type WebhookDetailFragment } from '../../gen/pages/webhooks/webhook.ts';
import { nowMs } from '../../clock.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';

/** `onSecret` receives the new one. */
export function WebhookSecretCard({
  webhook,
  onSecret,
}: {
  webhook: WebhookDetailFragment;
  onSecret: (secret: string) => void;
}): ReactNode {
  const { canWrite } = useViewer();
  const [rotating, setRotating] = useState(false);
  const [, rotateSecret] = useMutation(RotateWebhookSecretDocument);
  const { id, createdAt, rotatedAt, previousSecretUntil } = webhook;
  const overlap = previousSecretUntil !== null && Date.parse(previousSecretUntil) > nowMs();
  const rotate = async () => {
    const { data, error } = await rotateSecret({ input: { id } });
    if (error) return errorText(error);
    if (data) onSecret(data.rotateWebhookSecret.secret);
    return null;
  };
  return (
    <Card
      title="Signing secret"
      description="Your endpoint uses it to verify that a request is ours."
      actions={
        canWrite ? (
          <Button icon={RotateCw} onClick={() => setRotating(true)}>
            Rotate secret
          </Button>
        ) : undefined
      }
    >
      <DescriptionList
        items={[
          { term: 'Created', value: <Time value={createdAt} exact /> },
          { term: 'Rotated', value: <Time value={rotatedAt} exact /> },
          ...(overlap
            ? [{ term: 'Old secret valid until', value: <Time value={previousSecretUntil} exact /> }]
            : []),
        ]}
      />
      <ConfirmDialog
        open={rotating}
        onClose={() => setRotating(false)}
        title="Rotate the secret?"
        confirmLabel="Rotate secret"
        danger={false}
        onConfirm={rotate}
      >
        <p>
          For 24 hours every delivery carries two signatures, by the new secret and by the old one, so nothing
          fails in between. Deploy the new secret to your endpoint within that time.
        </p>
        {overlap ? (
          <p>The secret before the last rotation is still valid. Rotating again ends it now.</p>
        ) : null}
      </ConfirmDialog>
    </Card>
  );
}
