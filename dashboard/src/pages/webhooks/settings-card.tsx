// The settings of a webhook, and its on/off switch.

import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import { UpdateWebhookDocument, type WebhookDetailFragment } from '../../gen/pages/webhooks/webhook.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Switch } from '../../ui/check-box.tsx';
import { FormError } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { inputOf, WEBHOOK_FIELDS, WebhookFields, type WebhookDraft } from './webhook-fields.tsx';
import { FORMAT_OPTIONS } from './webhook-words.ts';

export function WebhookSettingsCard({ webhook }: { webhook: WebhookDetailFragment }): ReactNode {
  const { canWrite } = useViewer();
  const { url, eventTypes, domainIds, description } = webhook;
  const [draft, setDraft] = useState<WebhookDraft>({
    url,
    eventTypes,
    domainIds,
    description: description ?? '',
  });
  const form = useMutationForm(UpdateWebhookDocument, WEBHOOK_FIELDS);
  const toast = useToast();
  return (
    <Card
      title="Settings"
      description={
        canWrite
          ? `Body format: ${FORMAT_OPTIONS.find(({ value }) => value === webhook.format)?.label ?? webhook.format}, set at creation.`
          : 'Owners and members of your account can change them.'
      }
    >
      <form
        noValidate
        onSubmit={form.onSubmit(
          () => ({ input: { id: webhook.id, ...inputOf(draft) } }),
          () => toast('Webhook saved'),
        )}
      >
        <fieldset disabled={!canWrite} className="space-y-5">
          <WebhookFields draft={draft} onChange={setDraft} errorOf={form.fieldError} />
          <FormError message={form.error} />
          {canWrite ? (
            <Button type="submit" variant="primary" busy={form.running}>
              Save
            </Button>
          ) : null}
        </fieldset>
      </form>
      {canWrite ? <OnSwitch webhook={webhook} /> : null}
    </Card>
  );
}

function OnSwitch({ webhook: { id, enabled } }: { webhook: WebhookDetailFragment }): ReactNode {
  const [{ fetching }, update] = useMutation(UpdateWebhookDocument);
  const toast = useToast();
  const set = async (next: boolean) => {
    const { error } = await update({ input: { id, enabled: next } });
    if (error) toast(errorText(error), 'bad');
    else toast(next ? 'Webhook enabled' : 'Webhook disabled');
  };
  return (
    <div className="mt-5 border-t pt-4">
      <Switch
        label="Enabled"
        hint="Events that happen while it is off are not kept for it. What already waits is delivered when it is on again within seven days."
        checked={enabled}
        disabled={fetching}
        onChange={(next) => void set(next)}
      />
    </div>
  );
}
