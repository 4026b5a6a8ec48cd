// The audience of a campaign.

import type { ReactNode } from 'react';

import { Field, FieldSet } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { AudienceCounts } from './audience-counts.tsx';
import type { CampaignDraft, Choices } from './campaign-draft.ts';

/** The props of every step. */
export interface StepProps {
  draft: CampaignDraft;
  /** The stored campaign; null while it has no name yet. */
  id: string | null;
  onChange: (draft: CampaignDraft) => void;
  choices: Choices;
  fieldError: (name: string) => string | undefined;
}

const KINDS = [
  { id: 'list', label: 'List' },
  { id: 'tag', label: 'Tag' },
  { id: 'all', label: 'All contacts' },
] as const;

export function AudienceStep({ draft, id, onChange, choices, fieldError }: StepProps): ReactNode {
  return (
    <div className="max-w-2xl space-y-5">
      <Field label="Campaign name" hint="Not shown to recipients." error={fieldError('name')}>
        <TextInput
          value={draft.name}
          maxLength={200}
          onChange={(event) => onChange({ ...draft, name: event.target.value })}
        />
      </Field>
      <FieldSet
        label="Audience"
        hint="Only subscribed contacts receive the campaign. Suppressed addresses are skipped."
        error={fieldError('audience')}
      >
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {KINDS.map(({ id, label }) => (
            <label key={id} className="flex items-center gap-2">
              <input
                type="radio"
                name="audience"
                className="accent-accent size-4"
                checked={draft.audience === id}
                onChange={() => onChange({ ...draft, audience: id })}
              />
              {label}
            </label>
          ))}
        </div>
      </FieldSet>
      {draft.audience === 'list' ? (
        <Field
          label="List"
          error={
            choices.lists.length === 0 ? 'No lists yet. Create one under Contacts.' : fieldError('listId')
          }
        >
          <Select
            value={draft.listId}
            onChange={(event) => onChange({ ...draft, listId: event.target.value })}
            options={[
              ...(draft.listId === '' ? [{ value: '', label: 'Choose a list' }] : []),
              ...choices.lists.map(({ id, name, contactsCount }) => ({
                value: id,
                label: `${name} (${formatNumber(contactsCount)} contacts)`,
              })),
            ]}
          />
        </Field>
      ) : null}
      {draft.audience === 'tag' ? (
        <Field label="Tag" hint="Contacts with exactly this tag." error={fieldError('tag')}>
          <TextInput
            value={draft.tag}
            maxLength={100}
            onChange={(event) => onChange({ ...draft, tag: event.target.value })}
          />
        </Field>
      ) : null}
      {id === null ? null : <AudienceCounts id={id} />}
    </div>
  );
}
