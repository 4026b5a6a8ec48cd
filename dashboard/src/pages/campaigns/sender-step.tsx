// The sender of a campaign.

import type { ReactNode } from 'react';

import { Field } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import type { StepProps } from './audience-step.tsx';

export function SenderStep({ draft, onChange, choices, fieldError }: StepProps): ReactNode {
  const verified = choices.domains.filter(({ status }) => status === 'verified');
  return (
    <div className="max-w-2xl space-y-5">
      <Field label="Sender name" optional hint="Shown to recipients, for example the name of your shop.">
        <TextInput
          value={draft.fromName}
          maxLength={100}
          onChange={(event) => onChange({ ...draft, fromName: event.target.value })}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Sender address (before the @)" error={fieldError('from')}>
          <TextInput
            value={draft.fromLocal}
            onChange={(event) => onChange({ ...draft, fromLocal: event.target.value })}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label="Sending domain" hint="Only verified domains can send." error={fieldError('fromDomain')}>
          <Select
            value={draft.fromDomain}
            onChange={(event) => onChange({ ...draft, fromDomain: event.target.value })}
            options={verified.map(({ name }) => ({ value: name, label: name }))}
          />
        </Field>
      </div>
      <Field
        label="Reply to"
        optional
        hint="If empty, replies go to the sender."
        error={fieldError('replyTo')}
      >
        <TextInput
          type="email"
          value={draft.replyTo}
          onChange={(event) => onChange({ ...draft, replyTo: event.target.value })}
          autoComplete="off"
        />
      </Field>
    </div>
  );
}
