// The variables of a template: name, type, default, and whether a value is required.

import { Plus, Trash } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { fieldSentence } from '../../graphql/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { FieldSet } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { newVariable, type VariableDraft, type TemplateDraft } from './template-draft.ts';

const KINDS = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
];

export function TemplateVariables({
  draft,
  onChange,
  problem,
}: {
  draft: TemplateDraft;
  onChange: (draft: TemplateDraft) => void;
  problem: (field: string) => string | undefined;
}): ReactNode {
  const change = (changed: VariableDraft) =>
    onChange({
      ...draft,
      variables: draft.variables.map((variable) => (variable.key === changed.key ? changed : variable)),
    });
  const remove = (key: number) =>
    onChange({ ...draft, variables: draft.variables.filter((variable) => variable.key !== key) });
  const nested = draft.variables.some((_variable, at) => problem(`variables.${at}`) !== undefined);
  return (
    <div className="mt-6">
      <FieldSet
        label="Variables"
        hint="Sending is rejected if a required variable has no value. Other variables use their default."
        error={nested ? undefined : problem('variables')}
      >
        <ul className="space-y-3">
          {draft.variables.map((variable, at) => (
            <VariableRow
              key={variable.key}
              variable={variable}
              at={at}
              error={problem(`variables.${at}`)}
              onChange={change}
              onRemove={() => remove(variable.key)}
            />
          ))}
        </ul>
        <Button
          size="small"
          icon={Plus}
          onClick={() => onChange({ ...draft, variables: [...draft.variables, newVariable()] })}
        >
          Add variable
        </Button>
      </FieldSet>
    </div>
  );
}

function VariableRow({
  variable,
  at,
  error,
  onChange,
  onRemove,
}: {
  variable: VariableDraft;
  at: number;
  error: string | undefined;
  onChange: (variable: VariableDraft) => void;
  onRemove: () => void;
}): ReactNode {
  const of = variable.name === '' ? `variable ${at + 1}` : variable.name;
  return (
    <li className="rounded-md border p-3">
      <div className="grid grid-cols-[1fr_auto] items-center gap-2 sm:grid-cols-[1.2fr_8rem_1fr_auto]">
        <TextInput
          aria-label={`Name of variable ${at + 1}`}
          aria-invalid={error === undefined ? undefined : true}
          placeholder="name"
          value={variable.name}
          onChange={(event) => onChange({ ...variable, name: event.target.value })}
          className="font-mono text-[13px]"
          spellCheck={false}
        />
        <div className="max-sm:order-2 max-sm:col-span-2">
          <Select
            aria-label={`Type of ${of}`}
            value={variable.kind}
            onChange={(event) => onChange({ ...variable, kind: event.target.value as VariableDraft['kind'] })}
            options={KINDS}
          />
        </div>
        <div className="max-sm:order-3 max-sm:col-span-2">
          {variable.kind === 'boolean' ? (
            <Select
              aria-label={`Default of ${of}`}
              value={variable.preset}
              onChange={(event) => onChange({ ...variable, preset: event.target.value })}
              options={[
                { value: '', label: 'no default' },
                { value: 'true', label: 'yes' },
                { value: 'false', label: 'no' },
              ]}
            />
          ) : (
            <TextInput
              aria-label={`Default of ${of}`}
              placeholder="no default"
              inputMode={variable.kind === 'number' ? 'decimal' : 'text'}
              value={variable.preset}
              onChange={(event) => onChange({ ...variable, preset: event.target.value })}
            />
          )}
        </div>
        <IconButton label={`Remove ${of}`} icon={Trash} onClick={onRemove} />
      </div>
      <div className="mt-2">
        <CheckBox
          label={`Required${variable.name === '' ? '' : ` for ${variable.name}`}`}
          checked={variable.required}
          onChange={(event) => onChange({ ...variable, required: event.target.checked })}
        />
      </div>
      {error === undefined ? null : <p className="text-bad mt-1 text-[13px]">{fieldSentence(of, error)}</p>}
    </li>
  );
}
