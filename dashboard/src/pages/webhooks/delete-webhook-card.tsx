// Deleting a webhook.

import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';

import { DeleteWebhookDocument, type WebhookDetailFragment } from '../../gen/pages/webhooks/webhook.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Asks for confirmation before it deletes. */
export function DeleteWebhookCard({ webhook: { id, url } }: { webhook: WebhookDetailFragment }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [, remove] = useMutation(DeleteWebhookDocument);
  const [, navigate] = useLocation();
  const toast = useToast();
  const confirm = async () => {
    const { error } = await remove({ input: { id } }, { additionalTypenames: ['Webhook'] });
    if (error) return errorText(error);
    toast('Webhook deleted');
    navigate('/webhooks', { replace: true });
    return null;
  };
  return (
    <Card
      title="Delete webhook"
      description="To stop deliveries for a while, disable it instead."
      actions={<Button onClick={() => setAsking(true)}>Delete…</Button>}
    >
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete this webhook?"
        confirmLabel="Delete webhook"
        onConfirm={confirm}
      >
        <p className="[overflow-wrap:anywhere]">
          {url} receives nothing more, deliveries that wait are dropped, and the log is lost. This cannot be
          undone.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
