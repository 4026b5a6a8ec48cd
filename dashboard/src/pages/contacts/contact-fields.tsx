// The fields of a new or existing contact.

import { Plus, Trash } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Field, FieldSet } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { newAttribute, type AttributeDraft, type ContactDraft } from './contact-draft.ts';

/** Names of the fields that show their own errors. */
export const CONTACT_FIELDS = ['email', 'firstName', 'lastName', 'attributes', 'tags', 'listIds', 'status'];

interface Props {
  draft: ContactDraft;
  onChange: (draft: ContactDraft) => void;
  fieldError: (name: string) => string | undefined;
}

/** All fields of a contact. */
export function ContactFields({
  lists,
  ...props
}: Props & { lists: readonly { id: string; name: string }[] }): ReactNode {
  const { draft, onChange, fieldError } = props;
  const toggle = (id: string, on: boolean) =>
    onChange({ ...draft, listIds: on ? [...draft.listIds, id] : draft.listIds.filter((one) => one !== id) });
  return (
    <div className="space-y-5">
      <PersonFields {...props} />
      <Field label="Status" error={fieldError('status')} hint="Only subscribed contacts receive campaigns.">
        <Select
          value={draft.status}
          onChange={(event) => onChange({ ...draft, status: event.target.value as ContactDraft['status'] })}
          options={[
            { value: 'subscribed', label: 'Subscribed' },
            { value: 'unsubscribed', label: 'Unsubscribed' },
          ]}
        />
      </Field>
      <Field label="Tags" optional hint="Separated by commas." error={fieldError('tags')}>
        <TextInput
          value={draft.tags}
          onChange={(event) => onChange({ ...draft, tags: event.target.value })}
        />
      </Field>
      {lists.length === 0 ? null : (
        <FieldSet label="Lists" error={fieldError('listIds')}>
          <div className="grid max-h-48 gap-2 overflow-y-auto rounded-md border p-3 sm:grid-cols-2">
            {lists.map(({ id, name }) => (
              <CheckBox
                key={id}
                label={name}
                checked={draft.listIds.includes(id)}
                onChange={(event) => toggle(id, event.target.checked)}
              />
            ))}
          </div>
        </FieldSet>
      )}
      <Attributes {...props} />
    </div>
  );
}

function PersonFields({ draft, onChange, fieldError }: Props): ReactNode {
  return (
    <>
      <Field label="Email" error={fieldError('email')}>
        <TextInput
          type="email"
          value={draft.email}
          onChange={(event) => onChange({ ...draft, email: event.target.value })}
          autoComplete="off"
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="First name" optional error={fieldError('firstName')}>
          <TextInput
            value={draft.firstName}
            onChange={(event) => onChange({ ...draft, firstName: event.target.value })}
            autoComplete="off"
          />
        </Field>
        <Field label="Last name" optional error={fieldError('lastName')}>
          <TextInput
            value={draft.lastName}
            onChange={(event) => onChange({ ...draft, lastName: event.target.value })}
            autoComplete="off"
          />
        </Field>
      </div>
    </>
  );
}

function Attributes({ draft, onChange, fieldError }: Props): ReactNode {
  const change = (changed: AttributeDraft) =>
    onChange({
      ...draft,
      attributes: draft.attributes.map((one) => (one.key === changed.key ? changed : one)),
    });
  const remove = (key: number) =>
    onChange({ ...draft, attributes: draft.attributes.filter((one) => one.key !== key) });
  return (
    <FieldSet
      label="Attributes"
      hint="Available as variables in campaigns. Write numbers, true, false and lists as JSON; everything else is text."
      error={fieldError('attributes')}
    >
      <ul className="space-y-2">
        {draft.attributes.map((attribute, at) => (
          <li key={attribute.key} className="flex items-center gap-2">
            <TextInput
              aria-label={`Name of attribute ${at + 1}`}
              placeholder="name"
              value={attribute.name}
              onChange={(event) => change({ ...attribute, name: event.target.value })}
              className="min-w-0 flex-1 font-mono text-[13px]"
              spellCheck={false}
            />
            <TextInput
              aria-label={`Value of ${attribute.name === '' ? `attribute ${at + 1}` : attribute.name}`}
              placeholder="value"
              value={attribute.value}
              onChange={(event) => change({ ...attribute, value: event.target.value })}
              className="min-w-0 flex-[1.4]"
            />
            <IconButton
              label={`Remove ${attribute.name === '' ? `attribute ${at + 1}` : attribute.name}`}
              icon={Trash}
              onClick={() => remove(attribute.key)}
            />
          </li>
        ))}
      </ul>
      <Button
        size="small"
        icon={Plus}
        onClick={() => onChange({ ...draft, attributes: [...draft.attributes, newAttribute()] })}
      >
        Add attribute
      </Button>
    </FieldSet>
  );
}
