// Creating a webhook: first what it receives, then its secret, which is shown once.

import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import { CreateWebhookDocument } from '../../gen/pages/webhooks/webhooks.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/field.tsx';
import { inputOf, WEBHOOK_FIELDS, WebhookFields, type WebhookDraft } from './webhook-fields.tsx';
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx';
import { ALL_EVENTS } from './webhook-words.ts';

const EMPTY: WebhookDraft = { url: '', eventTypes: [ALL_EVENTS], domainIds: null, description: '' };

/** Goes to the page of the new webhook when its secret was shown. */
export function CreateWebhookDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null);
  const [, navigate] = useLocation();
  if (created !== null)
    return (
      <WebhookSecretDialog secret={created.secret} onClose={() => navigate(`/webhooks/${created.id}`)} />
    );
  return (
    <Dialog open={open} onClose={onClose} title="Create a webhook" width="medium">
      <CreateForm onCreated={setCreated} onCancel={onClose} />
    </Dialog>
  );
}

function CreateForm({
  onCreated,
  onCancel,
}: {
  onCreated: (created: { id: string; secret: string }) => void;
  onCancel: () => void;
}): ReactNode {
  const [draft, setDraft] = useState(EMPTY);
  const form = useMutationForm(CreateWebhookDocument, WEBHOOK_FIELDS, { additionalTypenames: ['Webhook'] });
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: inputOf(draft) }),
        ({ createWebhook: { webhook, secret } }) => onCreated({ id: webhook.id, secret }),
      )}
    >
      <WebhookFields draft={draft} onChange={setDraft} errorOf={form.fieldError} />
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running}>
          Create webhook
        </Button>
      </DialogFooter>
    </form>
  );
}
