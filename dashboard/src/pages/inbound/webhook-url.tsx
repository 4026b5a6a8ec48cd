// The URL that inbound mail is posted to, and whether it is posted.

import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  UpdateInboundWebhookDocument,
  type WebhookSettingsFragment,
} from '../../gen/pages/inbound/webhook.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Switch } from '../../ui/check-box.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';

/** `onSecret` gets the secret that the first save makes. */
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
      title={isNew ? 'Set up the webhook' : 'Where mail is posted to'}
      description={isNew ? 'Mail is in the inbox with and without it.' : undefined}
    >
      <form
        noValidate
        className="space-y-4"
        onSubmit={form.onSubmit(
          () => ({ input: { webhookUrl: url.trim(), ...(isNew && { enabled: true }) } }),
          ({ updateInboundWebhook: { secret } }) => {
            toast('The webhook is saved');
            if (secret !== null) onSecret(secret);
          },
        )}
      >
        <Field
          label="URL of your program"
          hint="Begins with https:// and is reachable from the internet, without a user name or password in it."
          error={sentence(form.fieldError('webhookUrl'))}
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
          {isNew ? 'Turn the webhook on' : 'Save URL'}
        </Button>
      </form>
      {isNew ? null : <OnSwitch enabled={webhook.enabled} />}
    </Card>
  );
}

// The api's words go on from the name of the field.
function sentence(problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `The URL ${problem}.`;
}

function OnSwitch({ enabled }: { enabled: boolean }): ReactNode {
  const [{ fetching }, update] = useMutation(UpdateInboundWebhookDocument);
  const toast = useToast();
  const set = async (next: boolean) => {
    const { error } = await update({ input: { enabled: next } });
    if (error) toast(errorText(error), 'bad');
    else toast(next ? 'New mail is posted from now on' : 'New mail is not posted any more');
  };
  return (
    <div className="mt-5 border-t pt-4">
      <Switch
        label="Post new mail"
        hint="While it is off, mail is kept in the inbox and is not posted later."
        checked={enabled}
        disabled={fetching}
        onChange={(next) => void set(next)}
      />
    </div>
  );
}
