// A template and the values of its variables.

import type { ReactNode } from 'react';

import type { SendChoicesQuery } from '../../gen/pages/send/send.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';

/** A template as the form needs it. */
export type SendTemplate = SendChoicesQuery['templates']['edges'][number]['node'];

/** A typed value of a variable: lists and objects are written as JSON, everything else is text. */
export function variableValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The choice of a template and one field per variable. */
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
      <EmptyState
        title="No templates yet"
        action={<ButtonLink href="/templates/new">Create template</ButtonLink>}
      >
        A template is a message with variables that are filled in when it is sent.
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
          {...(preset !== null && preset !== undefined && { hint: `Default: ${JSON.stringify(preset)}` })}
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
