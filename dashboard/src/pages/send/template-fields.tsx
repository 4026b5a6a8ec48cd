// A template to choose, and values for its slots.

import type { ReactNode } from 'react';

import type { SendChoicesQuery } from '../../gen/pages/send/send.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';

/** A template to choose. */
export type SendTemplate = SendChoicesQuery['templates']['edges'][number]['node'];

/** What somebody typed for a slot: lists and objects are written as JSON, all else is text. */
export function slotValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The fields. */
export function TemplateFields({
  templates,
  template,
  values,
  onChoose,
  onValues,
  fieldError,
}: {
  templates: readonly SendTemplate[];
  template: SendTemplate | undefined;
  values: Readonly<Record<string, string>>;
  onChoose: (id: string) => void;
  onValues: (values: Readonly<Record<string, string>>) => void;
  fieldError: (name: string) => string | undefined;
}): ReactNode {
  if (template === undefined) {
    return (
      <EmptyState title="No templates yet" action={<ButtonLink href="/templates/new">Write one</ButtonLink>}>
        A template is a message with slots that are filled when it is sent.
      </EmptyState>
    );
  }
  return (
    <div className="space-y-5">
      <Field label="Template" hint={`Subject: ${template.subject}`} error={fieldError('templateId')}>
        <Select
          value={template.id}
          onChange={(event) => onChoose(event.target.value)}
          options={templates.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      {template.variables.map(({ name, required, default: preset }) => (
        <Field
          key={name}
          label={name}
          optional={!required}
          error={fieldError(`variables.${name}`)}
          {...(preset !== null && preset !== undefined && { hint: `Left empty: ${JSON.stringify(preset)}` })}
        >
          <TextInput
            value={values[name] ?? ''}
            onChange={(event) => onValues({ ...values, [name]: event.target.value })}
          />
        </Field>
      ))}
    </div>
  );
}
