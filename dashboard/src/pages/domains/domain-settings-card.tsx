// Whether a domain has the same-day brake and keeps to the sender rules, and the part of its cap that is reserved for
// transactional mail.

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
import { utcHour } from '../../ui/zone.ts';

export function DomainSettingsCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  return (
    <Card title="Settings">
      <div className="space-y-5">
        <BrakeSwitch domain={domain} />
        <RulesSwitch domain={domain} />
        <PoolSelect domain={domain} />
        <ReserveForm domain={domain} />
        <p className="text-muted text-[13px]">
          Complaint reports (ARF) go to <Code>{domain.complaintAddress}</Code>. Enter this address in the
          feedback loops of mailbox providers.
        </p>
      </div>
    </Card>
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
      hint={`When too much of today’s mail bounces, is blocked or draws complaints, the rest waits until ${utcHour(0)}.`}
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
      hint={`Without a DMARC record, campaign mail above 5,000 a day waits until ${utcHour(0)}: large providers refuse it.`}
      checked={domain.senderRulesEnabled}
      onChange={(on) => void change(on)}
    />
  );
}

// Nothing to choose, nothing to show: most services have one way out.
function PoolSelect({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [, update] = useMutation(UpdateDomainDocument);
  const toast = useToast();
  const { pool, usablePools } = domain;
  if (usablePools.length === 0) return null;
  const change = async (value: string) => {
    const { error } = await update({ input: { id: domain.id, pool: value === '' ? null : value } });
    if (error) toast(errorText(error), 'bad');
    else toast(value === '' ? 'The domain uses the usual addresses' : `The domain uses the pool ${value}`);
  };
  return (
    <Field
      label="Pool of sending addresses"
      hint="The addresses that this domain’s mail leaves from. Mailbox providers judge addresses as well as domains, so change it rarely."
    >
      <Select
        options={[
          { value: '', label: 'The usual addresses' },
          ...usablePools.map((name) => ({ value: name, label: name })),
        ]}
        value={pool !== null && usablePools.includes(pool) ? pool : ''}
        onChange={(event) => void change(event.target.value)}
        className="sm:max-w-96"
      />
    </Field>
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
