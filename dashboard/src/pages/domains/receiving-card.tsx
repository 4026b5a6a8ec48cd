// Receiving mail at a domain: a step of its own, because its MX record moves all of the domain's incoming mail. Says where that
// mail goes now and what publishing the record would change.

import type { ReactNode } from 'react';
import { useMutation } from 'urql';

import { UpdateDomainDocument, type DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Card } from '../../ui/card.tsx';
import { Switch } from '../../ui/check-box.tsx';
import { cx } from '../../ui/class-names.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { isReceiving } from './domain-words.ts';
import { mailNow, type MailNow } from './mail-now.ts';
import { RecordItem } from './records-card.tsx';
import type { Hosting } from './use-hosting.ts';

/** `hosting`: what DNS says now; undefined while it is asked. */
export function ReceivingCard({
  domain,
  hosting,
}: {
  domain: DomainDetailFragment;
  hosting: Hosting | undefined;
}): ReactNode {
  const record = domain.records.find(({ purpose }) => isReceiving(purpose));
  if (!record) return null;
  const now = hosting && mailNow(domain.name, record.value, hosting.mx);
  return (
    <Card
      title="Receiving mail"
      description="Not needed for sending. Bounces and reports come back to us without it."
    >
      <div className="space-y-5">
        <InboundSwitch domain={domain} />
        {domain.inboundEnabled ? (
          <>
            <Now now={now} />
            <ul>
              <RecordItem record={record} isNewKey={false} hosting={hosting} />
            </ul>
            <SpamPolicySelect domain={domain} />
          </>
        ) : null}
      </div>
    </Card>
  );
}

function Now({ now }: { now: MailNow | undefined }): ReactNode {
  if (now === undefined) return <p className="text-muted">Looking up where mail goes now…</p>;
  return (
    <div
      role="note"
      aria-label="Where mail goes now"
      className={cx(
        'rounded-md px-4 py-3 break-words',
        now.moves ? 'bg-warn-soft text-warn' : 'bg-note-soft text-note',
      )}
    >
      <p className="font-medium">{now.title}</p>
      {now.servers.length === 0 ? null : (
        <ul className="mt-1 font-mono text-[13px]">
          {now.servers.map(({ host, priority }) => (
            <li key={`${priority} ${host}`}>
              {priority} {host}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-1">{now.change}</p>
    </div>
  );
}

function InboundSwitch({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [, update] = useMutation(UpdateDomainDocument);
  const toast = useToast();
  const change = async (inboundEnabled: boolean) => {
    const { error } = await update({ input: { id: domain.id, inboundEnabled } });
    if (error) toast(errorText(error), 'bad');
    else toast(inboundEnabled ? 'The domain receives mail' : 'The domain no longer receives mail');
  };
  return (
    <Switch
      label="Receive mail at this domain"
      hint="Mail that the MX record below brings here is delivered to your mailboxes and your webhook."
      checked={domain.inboundEnabled}
      onChange={(on) => void change(on)}
    />
  );
}

const SPAM_POLICIES: readonly { value: DomainDetailFragment['spamPolicy']; label: string }[] = [
  { value: 'keep', label: 'Keep like other mail' },
  { value: 'mark', label: 'Mark as junk' },
  { value: 'refuse', label: 'Refuse clear spam and viruses, mark the rest' },
];

function SpamPolicySelect({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [, update] = useMutation(UpdateDomainDocument);
  const toast = useToast();
  const change = async (value: string) => {
    const policy = SPAM_POLICIES.find((one) => one.value === value);
    if (!policy) return;
    const { error } = await update({ input: { id: domain.id, spamPolicy: policy.value } });
    if (error) toast(errorText(error), 'bad');
    else toast('The spam policy is saved');
  };
  return (
    <Field
      label="Spam and viruses"
      hint="Applies to mail received at this domain, if your administrator has set up a scanner."
    >
      <Select
        options={SPAM_POLICIES}
        value={domain.spamPolicy}
        onChange={(event) => void change(event.target.value)}
        className="sm:max-w-96"
      />
    </Field>
  );
}
