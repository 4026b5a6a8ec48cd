// The rendered message, with values for the variables. HTML is shown in the sandboxed frame only.

import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { TemplateDraft } from './template-draft.ts';
import type { Preview } from './use-preview.ts';

export function TemplatePreview({
  preview,
  draft,
  values,
  onValues,
}: {
  preview: Preview;
  draft: TemplateDraft;
  values: Readonly<Record<string, string>>;
  onValues: (values: Readonly<Record<string, string>>) => void;
}): ReactNode {
  const { rendered, problem, running } = preview;
  return (
    <Card
      title="Preview"
      description="The message as recipients see it, updated as you type."
      actions={<span className="text-muted text-[13px]">{running ? 'Rendering' : 'Up to date'}</span>}
    >
      <VariableValues draft={draft} values={values} onValues={onValues} fieldError={preview.fieldError} />
      <div role="status">
        {problem === null ? null : (
          <p className="bg-warn-soft text-warn mb-4 rounded-md px-3 py-2 [overflow-wrap:anywhere]">
            {problem}
          </p>
        )}
      </div>
      {rendered ? (
        <>
          <p className="mb-4">
            <span className="text-muted">Subject: </span>
            <span className="font-medium [overflow-wrap:anywhere]">{rendered.subject}</span>
          </p>
          <Tabs
            label="Parts of the message"
            tabs={[
              {
                id: 'html',
                label: 'HTML',
                content:
                  rendered.html === '' ? (
                    <p className="text-muted">No HTML part.</p>
                  ) : (
                    <MailFrame html={rendered.html} title="Preview of the message" />
                  ),
              },
              {
                id: 'text',
                label: 'Text',
                content: (
                  <pre className="bg-subtle max-h-[32rem] overflow-auto rounded-md p-3 font-mono text-[13px] break-words whitespace-pre-wrap">
                    {rendered.text}
                  </pre>
                ),
              },
            ]}
          />
        </>
      ) : problem !== null ? null : running ? (
        <Skeleton className="h-48 w-full" />
      ) : (
        <EmptyState title="No content yet">Enter HTML, text, or both.</EmptyState>
      )}
    </Card>
  );
}

function VariableValues({
  draft,
  values,
  onValues,
  fieldError,
}: {
  draft: TemplateDraft;
  values: Readonly<Record<string, string>>;
  onValues: (values: Readonly<Record<string, string>>) => void;
  fieldError: (name: string) => string | undefined;
}): ReactNode {
  const named = draft.variables.filter(({ name }) => name.trim() !== '');
  if (named.length === 0) return null;
  return (
    <details open className="mb-5 rounded-md border px-3 py-2">
      <summary className="font-medium">Values for the preview</summary>
      <p className="text-muted mt-1 text-[13px]">
        An empty variable shows its default or its name. Write lists and objects as JSON.
      </p>
      <div className="mt-3 mb-1 grid gap-3 sm:grid-cols-2">
        {named.map(({ key, name, preset }) => (
          <Field key={key} label={name.trim()} error={fieldError(`values.${name.trim()}`)}>
            <TextInput
              value={values[name.trim()] ?? ''}
              placeholder={preset === '' ? `[${name.trim()}]` : preset}
              onChange={(event) => onValues({ ...values, [name.trim()]: event.target.value })}
            />
          </Field>
        ))}
      </div>
    </details>
  );
}
