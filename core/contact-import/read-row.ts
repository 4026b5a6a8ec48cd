// One row of an import, from cells or from JSON, as a contact to put; or what is wrong with it.

import { checkValue } from '../base/field-problems.ts';
import { normalizeEmail, parseMailbox } from '../mail/address.ts';
import {
  attributesProblem,
  isOneLine,
  MAX_ATTRIBUTES_CHARS,
  MAX_NAME_CHARS,
  MAX_TAG_CHARS,
  MAX_TAGS,
  type ContactStatus,
} from '../contact/contact.ts';
import { isStorable } from '../base/storable-text.ts';
import { importedContact } from '../contact/contact-input.ts';
import type { SuppressionReason } from '../suppression/suppression-store.ts';
import { statusOfWord, type ImportField, type StatusWord } from './column-names.ts';
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
  /** Why the address gets no mail of any kind, as a bounce that another service saw. */
  suppress: SuppressionReason | null;
  /** Since when, as the file says. */
  suppressedAt: Date | null;
}

/** A row that was read. */
export type ReadRow = { ok: true; contact: ImportedContact } | { ok: false; email: string; message: string };

/** Characters of an address that are shown in an error. */
const MAX_SHOWN_CHARS = 254;

/** Reads the cells of a CSV row. An empty cell leaves its field unset. */
export function readCells(cells: string[], columns: CsvColumn[]): ReadRow {
  const contact: ImportedContact = blank();
  let email = '';
  let name = '';
  let problem: string | null = cellsProblem(cells, columns);
  for (const [at, column] of columns.entries()) {
    const cell = cellText(cells, at);
    if (cell === '' || 'ignored' in column) continue;
    if ('attribute' in column) contact.attributes[column.attribute] = cell;
    else if (column.field === 'email') email = cell;
    else if (column.field === 'name') name = cell;
    else problem ??= setField(contact, column.field as FieldOfContact, cell);
    problem ??= textProblem(cell, column);
  }
  problem ??= setName(contact, name);
  problem ??= setEmail(contact, email) ?? sizeProblem(contact.attributes);
  return problem === null ? { ok: true, contact } : bad(email, problem);
}

/** What is wrong with the number of cells of a row, or with a cell of a column that has no name. */
export function cellsProblem(cells: string[], columns: CsvColumn[]): string | null {
  if (cells.length < columns.length || cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    return `has ${cells.length} cells where the header has ${columns.length}`;
  const at = columns.findIndex(
    (column, index) => 'ignored' in column && column.isNameless && cellText(cells, index) !== '',
  );
  return at < 0 ? null : `has a value in column ${at + 1}, which has no name`;
}

/** A cell without blanks around it, and without the apostrophe that our exports put before what looks like a formula. */
export function cellText(cells: string[], at: number): string {
  return (cells[at] ?? '').trim().replace(/^'(?=[=+\-@])/, '');
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
    suppress: null,
    suppressedAt: null,
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
    suppress: later.suppress ?? first.suppress,
  };
}

/** A contact of which nothing is known. */
export function blank(): ImportedContact {
  return {
    email: '',
    emailKey: '',
    firstName: null,
    lastName: null,
    attributes: {},
    tags: null,
    status: null,
    suppress: null,
    suppressedAt: null,
  };
}

/** An address as a cell has it: `Name <address>`, or a link as spreadsheets make one of an address (RFC 6068); or what is wrong. */
export function readAddress(text: string): { email: string; emailKey: string; display: string } | string {
  if (text === '') return 'email is required';
  const parsed = parseMailbox(withoutLink(text));
  if (!parsed.ok) return `email is not an address: ${parsed.reason}`;
  const { email, smtputf8, display = '' } = parsed.address;
  // Only ASCII folds in one step; other addresses are normalized in full.
  return { email, emailKey: smtputf8 ? normalizeEmail(parsed.address) : email.toLowerCase(), display };
}

function setEmail(contact: ImportedContact, text: string): string | null {
  const read = readAddress(text);
  if (typeof read === 'string') return read;
  contact.email = read.email;
  contact.emailKey = read.emailKey;
  const isNamed = contact.firstName !== null || contact.lastName !== null;
  return isNamed ? null : setName(contact, read.display);
}

function withoutLink(text: string): string {
  const link = /^(?:\S+ )?<?mailto:([^?>]*)(?:\?[^>]*)?>?$/i.exec(text);
  return link ? link[1]! : text;
}

// The first word is the first name, unless a column says what it is; then the rest, or all, is the last name.
function setName(contact: ImportedContact, name: string): string | null {
  const words = name.split(/\s+/).filter(Boolean);
  const first = contact.firstName === null ? words.shift() : undefined;
  const last = words.join(' ');
  if (first !== undefined) contact.firstName = first;
  if (last !== '') contact.lastName ??= last;
  return nameProblem('name', name);
}

function nameProblem(field: string, text: string): string | null {
  if (text.length > MAX_NAME_CHARS) return `${field} must have at most ${MAX_NAME_CHARS} characters`;
  return isOneLine(text) ? null : `${field} has a line break or a control character`;
}

type FieldOfContact = Exclude<ImportField, 'email' | 'name'>;

function setField(contact: ImportedContact, field: FieldOfContact, cell: string): string | null {
  switch (field) {
    case 'first_name':
    case 'last_name':
      contact[field === 'first_name' ? 'firstName' : 'lastName'] = cell;
      return nameProblem(field, cell);
    case 'tags':
      return setTags(contact, cell);
    case 'status':
    case 'subscribed': {
      const word = statusOfWord(cell);
      if (word !== null) return setStatus(contact, word);
      const known = field === 'status' ? 'subscribed, unsubscribed, bounced, complained' : 'yes, no';
      return `${field} must be one of ${known}`;
    }
    case 'unsubscribed_at': // Mailchimp has a file for each status, and in it the time of the status
      return setStatus(contact, { status: 'unsubscribed', suppress: null });
    case 'bounced_at':
      return setStatus(contact, { status: 'unsubscribed', suppress: 'bounce' });
    case 'attributes':
      return setAttributes(contact, cell);
    default:
      return field satisfies never;
  }
}

// Two columns may say something: nobody is subscribed against one of them.
function setStatus(contact: ImportedContact, { status, suppress }: StatusWord): null {
  if (contact.status !== 'unsubscribed') contact.status = status;
  contact.suppress ??= suppress;
  return null;
}

function setAttributes(contact: ImportedContact, cell: string): string | null {
  let given: unknown;
  try {
    given = JSON.parse(cell);
  } catch {
    return 'attributes must be a JSON object';
  }
  const problem = attributesProblem(given);
  if (problem !== null) return `attributes ${problem}`;
  Object.assign(contact.attributes, given);
  return null;
}

// Several tags in a cell are separated by | or by the comma or semicolon that the file does not use itself, each in quotes
// (Mailchimp) or not, and all in brackets (JSON) or not.
const TAG = /\s*(?:"([^"]*)"|'([^']*)'|([^|,;]*))\s*(?:[|,;]|$)/g;

function setTags(contact: ImportedContact, cell: string): string | null {
  const inside = /^\[(.*)\]$/.exec(cell)?.[1] ?? cell;
  const found = [...inside.matchAll(TAG)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
  const tags = [...new Set(found.map((tag) => tag.trim()))].filter((tag) => tag !== '');
  if (tags.length > MAX_TAGS) return `tags must have at most ${MAX_TAGS} items`;
  if (tags.some((tag) => tag.length > MAX_TAG_CHARS))
    return `tags must have at most ${MAX_TAG_CHARS} characters each`;
  if (!tags.every(isOneLine)) return 'tags have a line break or a control character';
  contact.tags = tags;
  return null;
}

function textProblem(cell: string, column: Exclude<CsvColumn, { ignored: true }>): string | null {
  const name = 'attribute' in column ? column.attribute : column.field;
  if (!isStorable(cell)) return `${name} has a character that is not allowed`;
  return cell.includes('\ufffd') ? `${name} is not valid UTF-8` : null;
}

function sizeProblem(attributes: Record<string, unknown>): string | null {
  let chars = 2;
  for (const [name, value] of Object.entries(attributes))
    chars += name.length + (typeof value === 'string' ? value : JSON.stringify(value)).length + 6;
  return chars > MAX_ATTRIBUTES_CHARS
    ? `the attributes have more than ${MAX_ATTRIBUTES_CHARS} characters`
    : null;
}

/** A row that fails. */
export function bad(email: string, message: string): ReadRow {
  const shown = email.slice(0, MAX_SHOWN_CHARS).replaceAll('\0', '').toWellFormed();
  return { ok: false, email: shown, message };
}
