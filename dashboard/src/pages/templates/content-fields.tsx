// Name, subject, HTML and text of a template.

import { useMemo, useRef, type ReactNode } from 'react';

import type { CodeEditorHandle } from '../../ui/code-editor-props.ts';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { BUILT_IN_VARIABLES } from './built-in-variables.ts';
import { newVariable, type TemplateDraft } from './template-draft.ts';
import { UnsubscribeCheck } from './unsubscribe-check.tsx';
import type { Preview } from './use-preview.ts';

export function ContentFields({
  draft,
  onChange,
  preview,
  problem,
}: {
  draft: TemplateDraft;
  onChange: (change: (draft: TemplateDraft) => TemplateDraft) => void;
  preview: Preview;
  problem: (field: string) => string | undefined;
}): ReactNode {
  const variables = useMemo(() => knownVariables(draft), [draft]);
  const html = useRef<CodeEditorHandle>(null);
  const text = useRef<CodeEditorHandle>(null);
  const declare = (name: string) =>
    onChange((last) => ({ ...last, variables: [...last.variables, newVariable(name)] }));
  const part = (name: 'subject' | 'html' | 'text') => ({
    value: draft[name],
    onChange: (value: string) => onChange((last) => ({ ...last, [name]: value })),
    variables,
    problems: preview.problemsOf(name),
    onDeclare: declare,
  });
  return (
    <div className="space-y-5">
      <Field label="Name" hint="Not shown to recipients." error={problem('name')}>
        <TextInput
          value={draft.name}
          maxLength={100}
          onChange={({ target }) => onChange((last) => ({ ...last, name: target.value }))}
        />
      </Field>
      <Field label="Subject" error={problem('subject')}>
        <CodeEditor language="line" {...part('subject')} />
      </Field>
      <div>
        <Field label="HTML" optional error={problem('html')}>
          <CodeEditor language="html" ref={html} {...part('html')} />
        </Field>
        <UnsubscribeCheck
          part="html"
          rendered={preview.rendered}
          onInsert={(link) => html.current?.insert(link)}
        />
      </div>
      <div>
        <Field label="Text" optional hint="If empty, it is generated from the HTML." error={problem('text')}>
          <CodeEditor language="text" ref={text} {...part('text')} />
        </Field>
        <UnsubscribeCheck
          part="text"
          rendered={preview.rendered}
          onInsert={(link) => text.current?.insert(link)}
        />
      </div>
    </div>
  );
}

function knownVariables(draft: TemplateDraft) {
  const declared = draft.variables
    .filter(({ name }) => name.trim() !== '')
    .map(({ name, preset }) => ({
      name: name.trim(),
      detail: preset === '' ? 'variable' : `default ${preset.slice(0, 30)}`,
    }));
  const names = new Set(declared.map(({ name }) => name));
  return [...declared, ...BUILT_IN_VARIABLES.filter(({ name }) => !names.has(name))];
}
