// Whether a domain receives mail and what it does with spam, whether it has the same-day brake and keeps to the sender rules, and the part of its cap that is reserved for transactional mail.

import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import { UpdateDomainDocument, type DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Switch } from '../../ui/check-box.tsx';
import { Code } from '../../ui/code-block.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';

export function DomainSettingsCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  return (
    <Card title="Settings">
      <div className="space-y-5">
        <InboundSwitch domain={domain} />
        <SpamPolicySelect domain={domain} />
        <BrakeSwitch domain={domain} />
        <RulesSwitch domain={domain} />
        <ReserveForm domain={domain} />
        <p className="text-muted text-[13px]">
          Complaint reports (ARF) go to <Code>{domain.complaintAddress}</Code>. Enter this address in the
          feedback loops of mailbox providers.
        </p>
      </div>
    </Card>
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
      hint="Publish the MX record above. Mail is then delivered to your mailboxes and your webhook."
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

function BrakeSwitch({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [, update] = useMutation(UpdateDomainDocument);
  const toast = useToast();
  const change = async (brakeEnabled: boolean) => {
    const { error } = await update({ input: { id: domain.id, brakeEnabled } });
    if (error) toast(errorText(error), 'bad');
    else toast(brakeEnabled ? 'The same-day brake is turned on' : 'The same-day brake is turned off');
  };
  return (
    <Switch
      label="Same-day brake"
      hint="When too much of today’s mail bounces, is blocked or draws complaints, the rest waits until 00:00 UTC."
      checked={domain.brakeEnabled}
      onChange={(on) => void change(on)}
    />
  );
}

function RulesSwitch({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [, update] = useMutation(UpdateDomainDocument);
  const toast = useToast();
  const change = async (senderRulesEnabled: boolean) => {
    const { error } = await update({ input: { id: domain.id, senderRulesEnabled } });
    if (error) toast(errorText(error), 'bad');
    else toast(senderRulesEnabled ? 'Sender rules are applied' : 'Sender rules are no longer applied');
  };
  return (
    <Switch
      label="Hold campaigns without DMARC"
      hint="Without a DMARC record, campaign mail above 5,000 a day waits until 00:00 UTC: large providers refuse it."
      checked={domain.senderRulesEnabled}
      onChange={(on) => void change(on)}
    />
  );
}

function ReserveForm({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [percent, setPercent] = useState(String(domain.transactionalReserve));
  const form = useMutationForm(UpdateDomainDocument, ['transactionalReserve']);
  const toast = useToast();
  return (
    <form
      noValidate
      className="space-y-3"
      onSubmit={form.onSubmit(
        () => ({ input: { id: domain.id, transactionalReserve: Number.parseInt(percent, 10) || 0 } }),
        () => toast('Saved'),
      )}
    >
      <Field
        label="Reserve for transactional mail (%)"
        hint="Campaigns cannot use this part of the daily cap."
        error={form.fieldError('transactionalReserve')}
      >
        <TextInput
          type="number"
          inputMode="numeric"
          min={0}
          max={90}
          value={percent}
          onChange={(event) => setPercent(event.target.value)}
          className="sm:max-w-28"
        />
      </Field>
      <FormError message={form.error} />
      <Button type="submit" size="small" busy={form.running}>
        Save
      </Button>
    </form>
  );
}
