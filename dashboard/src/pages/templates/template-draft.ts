// A template while it is written: all fields are text, as the controls have them.

import type { TemplateDetailFragment } from '../../gen/pages/templates/template.ts';

/** A slot. The default is text; it becomes a number or a yes/no when it is sent, as `kind` says. */
export interface SlotDraft {
  key: number;
  name: string;
  required: boolean;
  kind: 'text' | 'number' | 'boolean';
  preset: string;
}

/** A template as the form has it. */
export interface TemplateDraft {
  name: string;
  subject: string;
  html: string;
  text: string;
  slots: readonly SlotDraft[];
}

let lastKey = 0;

/** A slot with nothing in it. */
export function newSlot(name = ''): SlotDraft {
  return { key: ++lastKey, name, required: false, kind: 'text', preset: '' };
}

/** What the form starts with. */
export function draftOf(template: TemplateDetailFragment | null): TemplateDraft {
  if (template === null) {
    return {
      name: '',
      subject: 'Hello {{ first_name }}',
      html: '<h1>Hello {{ first_name }}</h1>\n<p>Good to have you with us.</p>',
      text: '',
      slots: [{ ...newSlot('first_name'), preset: 'there' }],
    };
  }
  const slots = template.variables.map(({ name, required, default: preset }): SlotDraft => ({
    ...newSlot(name),
    required,
    kind: typeof preset === 'number' ? 'number' : typeof preset === 'boolean' ? 'boolean' : 'text',
    preset: preset === null || preset === undefined ? '' : String(preset as string | number | boolean),
  }));
  const { name, subject, html, text } = template;
  return { name, subject, html: html ?? '', text: text ?? '', slots };
}

/** The draft as `input` wants it. An empty part is none; an empty default is none. */
export function contentOf(draft: TemplateDraft) {
  return {
    subject: draft.subject,
    html: draft.html.trim() === '' ? null : draft.html,
    text: draft.text.trim() === '' ? null : draft.text,
    variables: draft.slots.map((slot) => ({
      name: slot.name.trim(),
      required: slot.required,
      default: presetOf(slot),
    })),
  };
}

/** Values for the preview: what was typed, else for a slot without a default its name in brackets. */
export function previewValues(
  draft: TemplateDraft,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const given = draft.slots.flatMap((slot) => {
    const name = slot.name.trim();
    const value = values[name] ?? '';
    if (name === '') return [];
    if (value !== '') return [[name, valueOf(value)] as const];
    return slot.preset === '' ? [[name, `[${name}]`] as const] : [];
  });
  return Object.fromEntries(given);
}

function presetOf({ kind, preset }: SlotDraft): string | number | boolean | null {
  if (preset === '') return null;
  if (kind === 'boolean') return preset === 'true';
  return kind === 'number' && Number.isFinite(Number(preset)) ? Number(preset) : preset;
}

// Lists and objects are written as JSON, for loops; all else is text.
function valueOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
