// A contact in the editor: all fields are text, as the form controls hold them.

import type { ContactDetailFragment } from '../../gen/pages/contacts/contact.ts';

/** One attribute. Text stays text; numbers, yes/no, lists and objects are written as JSON. */
export interface AttributeDraft {
  key: number;
  name: string;
  value: string;
}

/** A contact in the editor. */
export interface ContactDraft {
  email: string;
  firstName: string;
  lastName: string;
  tags: string;
  listIds: readonly string[];
  attributes: readonly AttributeDraft[];
  status: ContactDetailFragment['status'];
}

let lastKey = 0;

/** An empty row. */
export function newAttribute(name = '', value = ''): AttributeDraft {
  return { key: ++lastKey, name, value };
}

/** The initial values of the form. */
export function draftOf(contact: ContactDetailFragment | null): ContactDraft {
  const attributes = contact?.attributes;
  const entries = typeof attributes === 'object' && attributes !== null ? Object.entries(attributes) : [];
  return {
    email: contact?.email ?? '',
    firstName: contact?.firstName ?? '',
    lastName: contact?.lastName ?? '',
    tags: contact?.tags.join(', ') ?? '',
    listIds: contact?.lists.map(({ id }) => id) ?? [],
    attributes: entries.map(([name, value]) => newAttribute(name, textOf(value))),
    status: contact?.status ?? 'subscribed',
  };
}

/** The draft as mutation input. Rows without a name are left out. */
export function contactInput(draft: ContactDraft) {
  const named = draft.attributes.filter(({ name }) => name.trim() !== '');
  return {
    email: draft.email.trim(),
    firstName: draft.firstName.trim(),
    lastName: draft.lastName.trim(),
    tags: [...new Set(draft.tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''),
    listIds: [...draft.listIds],
    attributes: Object.fromEntries(named.map(({ name, value }) => [name.trim(), valueOf(value)])),
    status: draft.status,
  };
}

// A text that would be read as something else is shown in quotes, so that saving changes nothing.
function textOf(value: unknown): string {
  if (typeof value === 'string') return valueOf(value) === value ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? '';
}

function valueOf(text: string): unknown {
  if (!/^\s*(?:[[{"]|-?\d|true\s*$|false\s*$|null\s*$)/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
