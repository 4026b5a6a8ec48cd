// Creating a webhook: first what it receives, then its secret, which is shown once.

import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import { CreateWebhookDocument, type WebhookFormat } from '../../gen/pages/webhooks/webhooks.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Select } from '../../ui/text-input.tsx';
import { inputOf, WEBHOOK_FIELDS, WebhookFields, type WebhookDraft } from './webhook-fields.tsx';
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx';
import { ALL_EVENTS, FORMAT_OPTIONS } from './webhook-words.ts';

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
  const [format, setFormat] = useState<WebhookFormat>('standard');
  const form = useMutationForm(CreateWebhookDocument, WEBHOOK_FIELDS, { additionalTypenames: ['Webhook'] });
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: { ...inputOf(draft), format } }),
        ({ createWebhook: { webhook, secret } }) => onCreated({ id: webhook.id, secret }),
      )}
    >
      <WebhookFields draft={draft} onChange={setDraft} errorOf={form.fieldError} />
      <Field
        label="Body format"
        hint="SendGrid’s event format is for programs made for it. Events that it does not have are not delivered."
      >
        <Select
          value={format}
          onChange={(event) => setFormat(event.target.value as WebhookFormat)}
          options={FORMAT_OPTIONS}
        />
      </Field>
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
