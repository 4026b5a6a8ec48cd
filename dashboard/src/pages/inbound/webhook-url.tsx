// The endpoint URL of the inbound webhook, and its on/off switch.

import { useState, type ReactNode } from 'react';

import {
  UpdateInboundWebhookDocument,
  type WebhookSettingsFragment,
} from '../../gen/pages/inbound/webhook.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConfirmedMutation } from '../../graphql/use-confirmed-mutation.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Switch } from '../../ui/check-box.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';

/** `onSecret` receives the secret that the first save creates. */
export function WebhookUrlCard({
  webhook,
  onSecret,
}: {
  webhook: WebhookSettingsFragment;
  onSecret: (secret: string) => void;
}): ReactNode {
  const isNew = webhook.webhookUrl === null;
  const [url, setUrl] = useState(webhook.webhookUrl ?? '');
  const form = useMutationForm(UpdateInboundWebhookDocument, ['webhookUrl']);
  const toast = useToast();
  return (
    <Card
      title={isNew ? 'Set up the webhook' : 'Endpoint'}
      description={isNew ? 'Mail also appears in the inbox, with or without a webhook.' : undefined}
    >
      <form
        noValidate
        className="space-y-4"
        onSubmit={form.onSubmit(
          () => ({ input: { webhookUrl: url.trim(), ...(isNew && { enabled: true }) } }),
          ({ updateInboundWebhook: { secret } }) => {
            toast('Webhook saved');
            if (secret !== null) onSecret(secret);
          },
        )}
      >
        <Field
          label="Endpoint URL"
          hint="Must start with https://, be reachable from the internet, and contain no user name or password."
          error={form.fieldError('webhookUrl')}
        >
          <TextInput
            type="url"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            placeholder="https://app.example.com/inbound"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <FormError message={form.error} />
        <Button type="submit" variant="primary" busy={form.running}>
          {isNew ? 'Turn on webhook' : 'Save URL'}
        </Button>
      </form>
      {isNew ? null : <OnSwitch enabled={webhook.enabled} />}
    </Card>
  );
}

function OnSwitch({ enabled }: { enabled: boolean }): ReactNode {
  const [fetching, update] = useConfirmedMutation(UpdateInboundWebhookDocument);
  const toast = useToast();
  const set = async (next: boolean) => {
    const { error } = await update({ input: { enabled: next } });
    if (error) toast(errorText(error), 'bad');
    else toast(next ? 'Webhook turned on' : 'Webhook turned off');
  };
  return (
    <div className="mt-5 border-t pt-4">
      <Switch
        label="Deliver new mail"
        hint="Mail received while this is off stays in the inbox and is not delivered later."
        checked={enabled}
        disabled={fetching}
        onChange={(next) => void set(next)}
      />
    </div>
  );
}
