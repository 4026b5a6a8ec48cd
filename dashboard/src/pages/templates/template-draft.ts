// A template in the editor: all fields are text, as the form controls hold them.

import type { TemplateDetailFragment } from '../../gen/pages/templates/template.ts';

/** A variable. The default is text; `kind` says what it becomes when it is saved. */
export interface VariableDraft {
  key: number;
  name: string;
  required: boolean;
  kind: 'text' | 'number' | 'boolean';
  preset: string;
}

/** A template in the editor. */
export interface TemplateDraft {
  name: string;
  subject: string;
  html: string;
  text: string;
  variables: readonly VariableDraft[];
}

let lastKey = 0;

/** An empty variable. */
export function newVariable(name = ''): VariableDraft {
  return { key: ++lastKey, name, required: false, kind: 'text', preset: '' };
}

/** The initial values of the form. */
export function draftOf(template: TemplateDetailFragment | null): TemplateDraft {
  if (template === null) {
    return {
      name: '',
      subject: 'Hello {{ first_name }}',
      html: '<h1>Hello {{ first_name }}</h1>\n<p>Good to have you with us.</p>',
      text: '',
      variables: [{ ...newVariable('first_name'), preset: 'there' }],
    };
  }
  const variables = template.variables.map(({ name, required, default: preset }): VariableDraft => ({
    ...newVariable(name),
    required,
    kind: typeof preset === 'number' ? 'number' : typeof preset === 'boolean' ? 'boolean' : 'text',
    preset: preset === null || preset === undefined ? '' : String(preset as string | number | boolean),
  }));
  const { name, subject, html, text } = template;
  return { name, subject, html: html ?? '', text: text ?? '', variables };
}

/** The draft as mutation input. Empty parts and empty defaults become null. */
export function contentOf(draft: TemplateDraft) {
  return {
    subject: draft.subject,
    html: draft.html.trim() === '' ? null : draft.html,
    text: draft.text.trim() === '' ? null : draft.text,
    variables: draft.variables.map((variable) => ({
      name: variable.name.trim(),
      required: variable.required,
      default: presetOf(variable),
    })),
  };
}

/** Values for the preview: the typed value, or the name in brackets for a variable without a default. */
export function previewValues(
  draft: TemplateDraft,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const given = draft.variables.flatMap((variable) => {
    const name = variable.name.trim();
    const value = values[name] ?? '';
    if (name === '') return [];
    if (value !== '') return [[name, valueOf(value)] as const];
    return variable.preset === '' ? [[name, `[${name}]`] as const] : [];
  });
  return Object.fromEntries(given);
}

function presetOf({ kind, preset }: VariableDraft): string | number | boolean | null {
  if (preset === '') return null;
  if (kind === 'boolean') return preset === 'true';
  return kind === 'number' && Number.isFinite(Number(preset)) ? Number(preset) : preset;
}

// Lists and objects are written as JSON, for loops; everything else is text.
function valueOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
