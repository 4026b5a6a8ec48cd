// One row of an import, from cells or from JSON, as a contact to put; or what is wrong with it.

import { checkValue } from '../base/field-problems.ts';
import { normalizeEmail, parseAddress } from '../mail/address.ts';
import {
  isOneLine,
  MAX_ATTRIBUTES_CHARS,
  MAX_NAME_CHARS,
  MAX_TAG_CHARS,
  MAX_TAGS,
  type ContactStatus,
} from '../contact/contact.ts';
import { isStorable } from '../base/storable-text.ts';
import { importedContact } from '../contact/contact-input.ts';
import type { CsvColumn } from './csv-layout.ts';

/** A contact as a row describes it; null fields were empty or absent. */
export interface ImportedContact {
  email: string;
  emailKey: string;
  firstName: string | null;
  lastName: string | null;
  attributes: Record<string, unknown>;
  tags: string[] | null;
  status: ContactStatus | null;
}

/** A row that was read. */
export type ReadRow = { ok: true; contact: ImportedContact } | { ok: false; email: string; message: string };

/** Characters of an address that are shown in an error. */
const MAX_SHOWN_CHARS = 254;

/** Reads the cells of a CSV row. An empty cell leaves its field unset. */
export function readCells(cells: string[], columns: CsvColumn[]): ReadRow {
  const contact: ImportedContact = blank();
  let email = '';
  let problem: string | null = null;
  if (cells.length !== columns.length)
    problem = `has ${cells.length} cells where the header has ${columns.length}`;
  for (const [at, column] of columns.entries()) {
    const cell = (cells[at] ?? '').trim();
    if (cell === '') continue;
    if ('attribute' in column) contact.attributes[column.attribute] = cell;
    else if (column.field === 'email') email = cell;
    else problem ??= setField(contact, column.field, cell);
    problem ??= textProblem(cell, column);
  }
  problem ??= setEmail(contact, email) ?? sizeProblem(contact.attributes);
  return problem === null ? { ok: true, contact } : bad(email, problem);
}

/** Reads a contact of a JSON import. */
export function readJsonContact(raw: unknown): ReadRow {
  const checked = checkValue(importedContact, raw);
  if (!checked.ok) {
    const given = (raw as { email?: unknown } | null)?.email;
    const [first] = checked.details;
    const what = first === undefined || first.path === '' ? 'the contact' : first.path;
    return bad(typeof given === 'string' ? given : '', `${what} ${first?.message ?? 'is not valid'}`);
  }
  const { email, first_name, last_name, attributes, tags, status } = checked.value;
  const contact: ImportedContact = {
    email: email.email,
    emailKey: normalizeEmail(email),
    firstName: first_name ?? null,
    lastName: last_name ?? null,
    attributes: attributes ?? {},
    tags: tags ?? null,
    status: status ?? null,
  };
  return { ok: true, contact };
}

/** A later row of the same address, laid over an earlier one. */
export function overlay(first: ImportedContact, later: ImportedContact): ImportedContact {
  return {
    ...first,
    firstName: later.firstName ?? first.firstName,
    lastName: later.lastName ?? first.lastName,
    attributes: { ...first.attributes, ...later.attributes },
    tags: later.tags ?? first.tags,
    status: first.status === 'unsubscribed' ? first.status : (later.status ?? first.status),
  };
}

function blank(): ImportedContact {
  return {
    email: '',
    emailKey: '',
    firstName: null,
    lastName: null,
    attributes: {},
    tags: null,
    status: null,
  };
}

function setEmail(contact: ImportedContact, text: string): string | null {
  if (text === '') return 'email is required';
  const parsed = parseAddress(text);
  if (!parsed.ok) return `email is not an address: ${parsed.reason}`;
  contact.email = parsed.address.email;
  contact.emailKey = parsed.address.email.toLowerCase();
  // Only ASCII folds in one step; other addresses are normalized in full.
  if (parsed.address.smtputf8) contact.emailKey = normalizeEmail(parsed.address);
  return null;
}

function setField(
  contact: ImportedContact,
  field: 'first_name' | 'last_name' | 'tags' | 'status',
  cell: string,
): string | null {
  switch (field) {
    case 'first_name':
    case 'last_name':
      if (cell.length > MAX_NAME_CHARS) return `${field} must have at most ${MAX_NAME_CHARS} characters`;
      if (!isOneLine(cell)) return `${field} has a line break or a control character`;
      contact[field === 'first_name' ? 'firstName' : 'lastName'] = cell;
      return null;
    case 'tags':
      return setTags(contact, cell);
    case 'status': {
      const status = cell.toLowerCase();
      if (status !== 'subscribed' && status !== 'unsubscribed')
        return 'status must be one of subscribed, unsubscribed';
      contact.status = status;
      return null;
    }
    default:
      return field satisfies never;
  }
}

// Several tags in a cell are separated by | or by the comma or semicolon that the file does not use itself.
function setTags(contact: ImportedContact, cell: string): string | null {
  const tags = [...new Set(cell.split(/[|,;]/).map((tag) => tag.trim()))].filter((tag) => tag !== '');
  if (tags.length > MAX_TAGS) return `tags must have at most ${MAX_TAGS} items`;
  if (tags.some((tag) => tag.length > MAX_TAG_CHARS))
    return `tags must have at most ${MAX_TAG_CHARS} characters each`;
  if (!tags.every(isOneLine)) return 'tags have a line break or a control character';
  contact.tags = tags;
  return null;
}

function textProblem(cell: string, column: CsvColumn): string | null {
  const name = 'attribute' in column ? column.attribute : column.field;
  if (!isStorable(cell)) return `${name} has a character that is not allowed`;
  return cell.includes('\ufffd') ? `${name} is not valid UTF-8` : null;
}

function sizeProblem(attributes: Record<string, unknown>): string | null {
  let chars = 2;
  for (const [name, value] of Object.entries(attributes)) chars += name.length + String(value).length + 6;
  return chars > MAX_ATTRIBUTES_CHARS
    ? `the attributes have more than ${MAX_ATTRIBUTES_CHARS} characters`
    : null;
}

function bad(email: string, message: string): ReadRow {
  const shown = email.slice(0, MAX_SHOWN_CHARS).replaceAll('\0', '').toWellFormed();
  return { ok: false, email: shown, message };
}
