// The header row of a CSV file: which delimiter, and what each column is.

import { parse } from 'csv-parse/sync';

import { trimEnd } from '../base/trim-end.ts';
import { attributeNameProblem, MAX_ATTRIBUTES } from '../contact/contact.ts';
import type { SuppressionReason, SuppressionStream } from '../suppression/suppression-store.ts';
import {
  fieldOfName,
  mayBeEmail,
  suppressionFieldOfName,
  type ImportField,
  type SuppressionField,
} from './column-names.ts';

/**
 * What a column holds: a field of the contact, the attribute of that name, or nothing that is imported. `isNameless`: a cell
 * with a value fails its row, since nobody knows what it means.
 */
export type CsvColumn =
  | { field: ImportField | SuppressionField }
  | { attribute: string }
  | { ignored: true; isNameless?: true };

/** Column name → what it holds. Columns that it leaves out are read by their names. */
export type Mapping = ReadonlyMap<string, CsvColumn>;

/** The rows become suppressions: with this reason, where a row has none, and this stream or that of the reason. */
export interface SuppressAs {
  reason: SuppressionReason;
  stream: SuppressionStream | null;
}

/** How the columns of a file are understood. */
export interface LayoutOptions {
  mapping?: Mapping | null;
  suppress?: SuppressAs | null;
}

/** Name of the column with the reason in a file of failed rows; it is ignored when that file is imported. */
export const ERROR_COLUMN = 'import_error';

/** How a file is read. */
export interface CsvLayout {
  delimiter: ',' | ';' | '\t';
  columns: CsvColumn[];
  /** Of the columns, as the file writes them. Missing in layouts of older versions. */
  names?: string[];
  suppress?: SuppressAs;
  /** Octets of the header row with its line break, and of a byte order mark and a line `sep=;` before it. */
  headerBytes: number;
}

/** The layout, `more` when the row has not ended yet, or what is wrong. */
export type ReadLayout = { ok: true; layout: CsvLayout } | { ok: false; reason: string } | 'more';

/** Octets. 200 columns of 64 characters fit; what is longer has no line breaks or is no CSV. */
const MAX_HEADER_BYTES = 65_536;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const DELIMITERS = [',', ';', '\t'] as const;
const SEPARATOR = /^"?sep=([,;\t])"?[\r\n]*$/i; // Excel's own line, which tells it the delimiter
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;

/** Reads the header from the first octets of a file. `ended`: there are no more. */
export function readCsvLayout(head: Buffer, ended: boolean, options: LayoutOptions = {}): ReadLayout {
  const mark = head.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  const first = endOfRow(head, mark);
  if (first === null && !ended && head.length < MAX_HEADER_BYTES) return 'more';
  const given = SEPARATOR.exec(head.toString('latin1', mark, first ?? mark))?.[1];
  const start = given === undefined ? mark : (first ?? mark);
  const end = endOfRow(head, start);
  if (end === null && !ended && head.length < MAX_HEADER_BYTES) return 'more';
  if ((end ?? head.length) > MAX_HEADER_BYTES)
    return refuse(`has a header row longer than ${MAX_HEADER_BYTES / 1024} KiB; is it a CSV file?`);
  const row = head.subarray(start, end ?? head.length);
  if (row.includes(0)) return refuse('has a NUL character in its header row');
  const text = trimEnd(row.toString('utf8'), '\r\n');
  if (text.trim() === '') return refuse('has no header row');
  if (text.includes('\ufffd')) return refuse('has a header row that is not valid UTF-8');
  const delimiter = DELIMITERS.find((one) => one === given) ?? findDelimiter(text);
  const names = splitRow(text, delimiter);
  if (names === null) return refuse('has a quote in its header row that is not closed');
  const columns = toColumns(names, options);
  if (typeof columns === 'string') return refuse(columns);
  const headerBytes = end ?? head.length;
  const { suppress } = options;
  return { ok: true, layout: { delimiter, columns, names, headerBytes, ...(suppress && { suppress }) } };
}

function toColumns(given: string[], { mapping, suppress }: LayoutOptions): CsvColumn[] | string {
  if (given.length > MAX_ATTRIBUTES) return `has more than ${MAX_ATTRIBUTES} columns`;
  const names = given.map((name) => name.trim());
  const unknown = [...(mapping?.keys() ?? [])].find((name) => !names.includes(name));
  if (unknown !== undefined) return `has no column named ${unknown}`;
  const fieldOf = suppress ? suppressionFieldOfName : fieldOfName;
  const isEmail = (name: string) => {
    const column = mapping?.get(name);
    return column ? 'field' in column && column.field === 'email' : fieldOf(name) === 'email';
  };
  const hasEmail = names.some(isEmail);
  const seen = new Set<string>();
  const fields = new Set<string>();
  const columns: CsvColumn[] = [];
  for (const name of names) {
    const mapped = mapping?.get(name);
    const field =
      mapped === undefined
        ? (fieldOf(name) ?? (!hasEmail && mayBeEmail(name) ? 'email' : undefined))
        : undefined;
    const column = mapped ?? columnOf(name, field, fields, suppress !== undefined && suppress !== null);
    if (typeof column === 'string') return column;
    const key = 'attribute' in column ? column.attribute : name;
    const isTwice = 'field' in column ? fields.has(column.field) : field === 'email';
    if (name !== '' && (isTwice || seen.has(key.toLowerCase()))) return `has two columns named ${name}`;
    seen.add(key.toLowerCase());
    if ('field' in column) fields.add(column.field);
    columns.push(column);
  }
  return fields.has('email') ? columns : 'has no column named email';
}

// What no mapping says. A second column of a field is an attribute, or ignored.
function columnOf(
  name: string,
  field: ImportField | SuppressionField | undefined,
  taken: ReadonlySet<string>,
  onlyFields: boolean,
): CsvColumn | string {
  if (name === '') return { ignored: true, isNameless: true };
  if (field !== undefined && !taken.has(field)) return { field };
  if (onlyFields || name === ERROR_COLUMN) return { ignored: true };
  return attributeNameProblem(name) ?? { attribute: name };
}

// The one that is there most often outside of quotes. A header with none of them has one column.
function findDelimiter(text: string): CsvLayout['delimiter'] {
  const plain = text.replace(/"[^"]*"/g, '');
  const count = (mark: string) => plain.split(mark).length;
  return DELIMITERS.reduce((best, mark) => (count(mark) > count(best) ? mark : best), DELIMITERS[0]);
}

function splitRow(text: string, delimiter: string): string[] | null {
  try {
    const rows: string[][] = parse(text, { delimiter, relax_quotes: true });
    return rows.length === 1 ? rows[0]! : null;
  } catch {
    return null;
  }
}

function endOfRow(head: Buffer, start: number): number | null {
  let quoted = false;
  for (let at = start; at < head.length; at++) {
    const byte = head[at];
    if (byte === QUOTE) quoted = !quoted;
    if (quoted) continue;
    if (byte === LINE_FEED) return at + 1;
    if (byte === RETURN && at + 1 < head.length) return head[at + 1] === LINE_FEED ? at + 2 : at + 1;
  }
  return null;
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
