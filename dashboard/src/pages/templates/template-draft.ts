// A template in the editor: all fields are text, as the form controls hold them.

import type { TemplateDetailFragment } from '../../gen/pages/templates/template.ts';
import { UNSUBSCRIBE_URL } from './built-in-variables.ts';

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
  /** An object as JSON, or nothing. */
  testData: string;
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
      testData: '',
    };
  }
  const variables = template.variables.map(({ name, required, default: preset }): VariableDraft => ({
    ...newVariable(name),
    required,
    kind: typeof preset === 'number' ? 'number' : typeof preset === 'boolean' ? 'boolean' : 'text',
    preset: preset === null || preset === undefined ? '' : String(preset as string | number | boolean),
  }));
  const { name, subject, html, text } = template;
  const values = template.testData as object;
  const testData = Object.keys(values).length === 0 ? '' : JSON.stringify(values, null, 2);
  return { name, subject, html: html ?? '', text: text ?? '', variables, testData };
}

/** A draft as it is stored: without the keys of the rows. */
export type StoredContent = Omit<TemplateDraft, 'variables'> & { variables: Omit<VariableDraft, 'key'>[] };

/** The draft as it is stored. */
export function storedContent({ variables, ...draft }: TemplateDraft): StoredContent {
  const { name, subject, html, text, testData } = draft;
  const rows = variables.map((row) => {
    const { name: of, required, kind, preset } = row;
    return { name: of, required, kind, preset };
  });
  return { name, subject, html, text, variables: rows, testData };
}

/** What was stored, in the editor again. */
export function draftOfStored(content: StoredContent): TemplateDraft {
  return { ...content, variables: content.variables.map((row) => ({ ...newVariable(), ...row })) };
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

/** Where the link to unsubscribe leads in a preview: to nowhere, and no template writes it out. */
export const PREVIEW_UNSUBSCRIBE_URL = 'https://unsubscribe.invalid/preview';

/** Values for the preview: the test data; for a variable that neither it nor a default knows, the name in brackets. */
export function previewValues(draft: TemplateDraft): Record<string, unknown> {
  const names = draft.variables.filter(({ preset }) => preset === '').map(({ name }) => name.trim());
  const unknown = names.filter((name) => name !== '').map((name) => [name, `[${name}]`]);
  return {
    ...(Object.fromEntries(unknown) as Record<string, string>),
    ...parseTestData(draft.testData),
    [UNSUBSCRIBE_URL]: PREVIEW_UNSUBSCRIBE_URL,
  };
}

/** The test data as an object, or null when it is none. */
export function parseTestData(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The test data with every variable that it lacks: its default, or a word to replace. */
export function filledTestData(draft: TemplateDraft): string {
  const values = Object.fromEntries(
    draft.variables
      .filter(({ name }) => name.trim() !== '')
      .map((variable) => [variable.name.trim(), presetOf(variable) ?? variable.name.trim()]),
  );
  return JSON.stringify({ ...values, ...parseTestData(draft.testData) }, null, 2);
}

function presetOf({ kind, preset }: VariableDraft): string | number | boolean | null {
  if (preset === '') return null;
  if (kind === 'boolean') return preset === 'true';
  return kind === 'number' && Number.isFinite(Number(preset)) ? Number(preset) : preset;
}
