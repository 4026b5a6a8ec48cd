// Where alerts are posted to: the URL of a chat's incoming webhook, which is a secret and never shown again.

import { Send } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import { TestAlertChatDocument, UpdateAlertSettingsDocument } from '../../gen/pages/alerts/alerts.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { TestResult } from '../inbound/test-result.tsx';

export function ChatCard({ chatHost }: { chatHost: string | null }): ReactNode {
  const { canWrite } = useViewer();
  const [url, setUrl] = useState('');
  const form = useMutationForm(UpdateAlertSettingsDocument, ['chatWebhookUrl']);
  const [test, run] = useMutation(TestAlertChatDocument);
  const toast = useToast();
  const save = async (chatWebhookUrl: string | null) => {
    if ((await form.run({ input: { chatWebhookUrl } })) === null) return;
    setUrl('');
    toast(chatWebhookUrl === null ? 'Chat removed' : 'Chat saved');
  };
  return (
    <Card
      title="Chat"
      description={
        chatHost === null ? (
          'Alerts can be posted to Slack, Mattermost, Google Chat or Discord.'
        ) : (
          <>
            Alerts are posted to <strong className="text-ink font-medium break-words">{chatHost}</strong>.
          </>
        )
      }
    >
      {canWrite ? (
        <form
          noValidate
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (!form.running) void save(url.trim());
          }}
        >
          <Field
            label={chatHost === null ? 'Webhook URL' : 'New webhook URL'}
            hint="Create an incoming webhook in your chat and paste its URL. It is a secret: it is not shown again."
            error={form.fieldError('chatWebhookUrl')}
          >
            <TextInput
              type="url"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
              placeholder="https://hooks.slack.com/services/…"
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
          <FormError message={form.error} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={form.running}>
              Save URL
            </Button>
            {chatHost === null ? null : (
              <>
                <Button icon={Send} busy={test.fetching} onClick={() => void run({})}>
                  Send test
                </Button>
                <Button onClick={() => void save(null)}>Remove chat</Button>
              </>
            )}
          </div>
          {chatHost === null ? null : (
            <TestResult fetching={test.fetching} error={test.error} result={test.data?.testAlertChat} />
          )}
        </form>
      ) : (
        <p className="text-muted">Owners and members of your account can change it.</p>
      )}
    </Card>
  );
}
