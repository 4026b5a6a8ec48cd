// What is wrong with a webhook, and the next step. Nothing while it works.

import { type ReactNode } from 'react';
import { useMutation } from 'urql';

import { UpdateWebhookDocument, type WebhookDetailFragment } from '../../gen/pages/webhooks/webhook.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Announced when it changes. */
export function StatusNotice({ webhook }: { webhook: WebhookDetailFragment }): ReactNode {
  const { enabled, disabledReason, failingSince } = webhook;
  const { canWrite } = useViewer();
  const fine = enabled && failingSince === null;
  return (
    <div role="status">
      {fine ? null : (
        <div
          className={cx(
            'mb-6 flex flex-wrap items-center justify-between gap-3 rounded-md px-4 py-3',
            disabledReason === null ? 'bg-warn-soft text-warn' : 'bg-bad-soft text-bad',
          )}
        >
          <div className="min-w-0">
            <Words webhook={webhook} />
          </div>
          {!enabled && canWrite ? <EnableButton id={webhook.id} /> : null}
        </div>
      )}
    </div>
  );
}

function Words({
  webhook: { enabled, disabledReason, failingSince },
}: {
  webhook: WebhookDetailFragment;
}): ReactNode {
  if (enabled)
    return (
      <>
        <p className="font-medium">
          Deliveries are failing. First failure: <Time value={failingSince} />.
        </p>
        <p className="mt-1">
          Read the responses under Deliveries and correct your endpoint. The webhook is disabled automatically
          after five days without a success.
        </p>
      </>
    );
  switch (disabledReason) {
    case null:
      return (
        <Off title="This webhook is disabled." next="Events that happen meanwhile are not kept for it." />
      );
    case 'gone':
      return (
        <Off
          title="Disabled automatically: your endpoint responded with 410 Gone."
          next="Correct the URL or your endpoint, then enable the webhook. Events that happen meanwhile are not kept for it."
        />
      );
    case 'failing':
      return (
        <Off
          title={
            <>
              Disabled automatically: no delivery succeeded for five days, since{' '}
              <Time value={failingSince} exact />.
            </>
          }
          next="Correct your endpoint, send a test, then enable the webhook and replay what failed."
        />
      );
    default:
      return disabledReason satisfies never;
  }
}

function Off({ title, next }: { title: ReactNode; next: string }): ReactNode {
  return (
    <>
      <p className="font-medium">{title}</p>
      <p className="mt-1">{next}</p>
    </>
  );
}

function EnableButton({ id }: { id: string }): ReactNode {
  const [{ fetching }, update] = useMutation(UpdateWebhookDocument);
  const toast = useToast();
  const enable = async () => {
    const { error } = await update({ input: { id, enabled: true } });
    if (error) toast(errorText(error), 'bad');
    else toast('Webhook enabled');
  };
  return (
    <Button variant="primary" busy={fetching} onClick={() => void enable()}>
      Enable
    </Button>
  );
}
