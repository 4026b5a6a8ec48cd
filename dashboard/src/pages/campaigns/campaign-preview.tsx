// The message as one contact will see it, wide and narrow, and a test to oneself.

import { Monitor, Send, Smartphone } from '../../gen/icons.ts';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { useClient, useMutation, type CombinedError } from 'urql';

import {
  CampaignPreviewDocument,
  SendCampaignTestDocument,
  type CampaignPreviewQuery,
} from '../../gen/pages/campaigns/campaign-edit.ts';
import { errorText, fieldErrors, fieldSentence } from '../../graphql/error-text.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useDebounced } from '../filters/use-debounced.ts';

const STILL_MS = 450; // without a key press

type Found = NonNullable<CampaignPreviewQuery['campaign']>;

/** `saved` is anything that changes when the stored campaign does. */
export function CampaignPreview({ id, saved }: { id: string; saved: string }): ReactNode {
  const [typed, setTyped] = useState('');
  const [narrow, setNarrow] = useState(false);
  const email = useDebounced(typed.trim(), STILL_MS);
  const { found, error } = usePreview(id, email, saved);
  const options = useId();
  const refusal = error && fieldErrors(error).find(({ path }) => path.endsWith('contactEmail'))?.message;
  const preview = found?.preview;
  return (
    <Card
      title="Preview"
      description={
        preview === undefined
          ? 'The message as a contact receives it.'
          : preview.email === null
            ? 'Nobody is in the audience yet: this is the message without a contact’s values.'
            : `As ${preview.email} receives it.`
      }
      actions={
        <>
          <IconButton
            label="Desktop width"
            icon={Monitor}
            aria-pressed={!narrow}
            className={narrow ? '' : 'bg-subtle text-ink'}
            onClick={() => setNarrow(false)}
          />
          <IconButton
            label="Phone width"
            icon={Smartphone}
            aria-pressed={narrow}
            className={narrow ? 'bg-subtle text-ink' : ''}
            onClick={() => setNarrow(true)}
          />
        </>
      }
    >
      <div className="mb-5 grid items-start gap-4 sm:grid-cols-2">
        <Field
          label="Preview as"
          optional
          hint="A contact’s address. If empty, the first contact of the audience."
          error={refusal}
        >
          <TextInput
            value={typed}
            type="email"
            list={options}
            autoComplete="off"
            placeholder={found?.sampleEmails[0] ?? ''}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <datalist id={options}>
          {found?.sampleEmails.map((address) => (
            <option key={address} value={address} />
          ))}
        </datalist>
        <SendTest id={id} email={email} disabled={!preview || preview.problem !== null} />
      </div>
      {error && refusal === undefined ? <Problem>{errorText(error)}</Problem> : null}
      {preview === undefined ? (
        error ? null : (
          <Skeleton className="h-48 w-full" />
        )
      ) : preview.problem !== null ? (
        <Problem>{preview.problem}</Problem>
      ) : (
        <Shown preview={preview} narrow={narrow} />
      )}
    </Card>
  );
}

function Problem({ children }: { children: string }): ReactNode {
  return (
    <p role="status" className="bg-warn-soft text-warn rounded-md px-3 py-2 [overflow-wrap:anywhere]">
      {fieldSentence('The message', children)}
    </p>
  );
}

function Shown({
  preview: { subject, html, text },
  narrow,
}: {
  preview: Found['preview'];
  narrow: boolean;
}): ReactNode {
  return (
    <>
      <p className="mb-4">
        <span className="text-muted">Subject: </span>
        <span className="font-medium [overflow-wrap:anywhere]">{subject}</span>
      </p>
      <Tabs
        label="Parts of the message"
        tabs={[
          {
            id: 'html',
            label: 'HTML',
            content:
              html === '' ? (
                <p className="text-muted">No HTML part.</p>
              ) : (
                <MailFrame html={html} title="Preview of the message" narrow={narrow} />
              ),
          },
          {
            id: 'text',
            label: 'Text',
            content: (
              <pre
                tabIndex={0}
                aria-label="Text of the message"
                className="bg-subtle max-h-[32rem] overflow-auto rounded-md p-3 font-mono text-[13px] break-words whitespace-pre-wrap"
              >
                {text}
              </pre>
            ),
          },
        ]}
      />
    </>
  );
}

function SendTest({ id, email, disabled }: { id: string; email: string; disabled: boolean }): ReactNode {
  const { user } = useViewer();
  const [{ fetching }, send] = useMutation(SendCampaignTestDocument);
  const toast = useToast();
  const run = async () => {
    const { data, error } = await send({
      input: { id, to: user.email, ...(email !== '' && { contactEmail: email }) },
    });
    if (error) return toast(errorText(error), 'bad');
    const status = data?.sendCampaignTest.status;
    if (status === 'dropped') return toast(`${user.email} is suppressed, so the test was not sent`, 'bad');
    toast(
      status === 'deferred'
        ? `The test to ${user.email} waits for the next day: the cap is reached`
        : `Test sent to ${user.email}`,
    );
  };
  return (
    <div className="space-y-1.5">
      <p className="font-medium">Test</p>
      <Button icon={Send} busy={fetching} disabled={disabled} onClick={() => void run()}>
        Send a test to me
      </Button>
      <p className="text-muted text-[13px] [overflow-wrap:anywhere]">
        To {user.email}, with [Test] before the subject. It is not counted in the campaign.
      </p>
    </div>
  );
}

// Read anew when the address or the stored campaign changes; the last answer wins.
function usePreview(
  id: string,
  email: string,
  saved: string,
): { found: Found | undefined; error: CombinedError | undefined } {
  const client = useClient();
  const [answer, setAnswer] = useState<{ found?: Found; error?: CombinedError }>({});
  useEffect(() => {
    let isLatest = true;
    const variables = { id, ...(email !== '' && { contactEmail: email }) };
    void client
      .query(CampaignPreviewDocument, variables, { requestPolicy: 'network-only' })
      .toPromise()
      .then(({ data, error }) => {
        if (!isLatest) return;
        const found = data?.campaign ?? undefined;
        setAnswer((old) => ({
          ...((found ?? old.found) && { found: found ?? old.found! }),
          ...(error && { error }),
        }));
      });
    return () => {
      isLatest = false;
    };
  }, [client, id, email, saved]);
  return { found: answer.found, error: answer.error };
}
