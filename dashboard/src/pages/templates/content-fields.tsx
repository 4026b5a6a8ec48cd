// Name, subject, HTML and text of a template.

import { useMemo, useRef, type ReactNode } from 'react';
import { useQuery } from 'urql';

import { ContactAttributesDocument } from '../../gen/pages/templates/template.ts';
import type { CodeEditorHandle, KnownVariable } from '../../ui/code-editor-props.ts';
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
  const [{ data }] = useQuery({ query: ContactAttributesDocument, variables: {} });
  const attributes = data?.contactAttributes;
  const variables = useMemo(() => knownVariables(draft, attributes ?? []), [draft, attributes]);
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

// Other names cannot be written as {{ name }}.
const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

function knownVariables(draft: TemplateDraft, attributes: readonly string[]): KnownVariable[] {
  const declared = draft.variables
    .filter(({ name }) => name.trim() !== '')
    .map(({ name, preset }) => ({
      name: name.trim(),
      detail: preset === '' ? 'variable' : `default ${preset.slice(0, 30)}`,
    }));
  const ofContacts = attributes
    .filter((name) => NAME.test(name))
    .map((name) => ({ name, detail: 'attribute of contacts, in campaigns' }));
  // What is declared, or filled in by the service, has its own words.
  const byName = new Map(
    [...declared, ...BUILT_IN_VARIABLES, ...ofContacts].toReversed().map((one) => [one.name, one]),
  );
  return [...byName.values()].toReversed();
}
