// The header row of a CSV file: which delimiter, and what each column is.

import { parse } from 'csv-parse/sync';

import { trimEnd } from '../base/trim-end.ts';
import { attributeNameProblem, MAX_ATTRIBUTES } from '../contact/contact.ts';

/** What a column holds: a field of the contact, or the attribute of that name. */
export type CsvColumn =
  | { field: 'email' | 'first_name' | 'last_name' | 'tags' | 'status' }
  | { attribute: string };

/** How a file is read. */
export interface CsvLayout {
  delimiter: ',' | ';' | '\t';
  columns: CsvColumn[];
  /** Octets of the header row with its line break, and of a byte order mark before it. */
  headerBytes: number;
}

/** The layout, `more` when the row has not ended yet, or what is wrong. */
export type ReadLayout = { ok: true; layout: CsvLayout } | { ok: false; reason: string } | 'more';

/** Octets. 200 columns of 64 characters fit; what is longer has no line breaks or is no CSV. */
const MAX_HEADER_BYTES = 65_536;

const FIELDS = ['email', 'first_name', 'last_name', 'tags', 'status'] as const;
/** Spellings that other systems export, without blanks, dashes and underscores. */
const SPELLINGS: Record<string, (typeof FIELDS)[number]> = {
  email: 'email',
  emailaddress: 'email',
  firstname: 'first_name',
  lastname: 'last_name',
  tags: 'tags',
  status: 'status',
};
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;

/** Reads the header from the first octets of a file. `ended`: there are no more. */
export function readCsvLayout(head: Buffer, ended: boolean): ReadLayout {
  const foreign = foreignEncoding(head);
  if (foreign !== null) return refuse(foreign);
  const start = head.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  const end = endOfRow(head, start);
  if (end === null && !ended && head.length < MAX_HEADER_BYTES) return 'more';
  if ((end ?? head.length) > MAX_HEADER_BYTES)
    return refuse(`has a header row longer than ${MAX_HEADER_BYTES / 1024} KiB; is it a CSV file?`);
  const row = head.subarray(start, end ?? head.length);
  if (row.includes(0)) return refuse('has a NUL character in its header row');
  const text = trimEnd(row.toString('utf8'), '\r\n');
  if (text.trim() === '') return refuse('has no header row');
  if (text.includes('\ufffd')) return refuse('has a header row that is not valid UTF-8');
  const delimiter = findDelimiter(text);
  const names = splitRow(text, delimiter);
  if (names === null) return refuse('has a quote in its header row that is not closed');
  const columns = toColumns(names);
  if (typeof columns === 'string') return refuse(columns);
  return { ok: true, layout: { delimiter, columns, headerBytes: end ?? head.length } };
}

function toColumns(names: string[]): CsvColumn[] | string {
  if (names.length > MAX_ATTRIBUTES) return `has more than ${MAX_ATTRIBUTES} columns`;
  const seen = new Set<string>();
  const columns: CsvColumn[] = [];
  for (const [at, raw] of names.entries()) {
    const name = raw.trim();
    const field = fieldOf(name);
    const key = field ?? name.toLowerCase();
    const problem = name === '' ? `has no name for column ${at + 1}` : attributeNameProblem(name);
    if (problem !== null) return problem;
    if (seen.has(key)) return `has two columns named ${name}`;
    seen.add(key);
    columns.push(field === undefined ? { attribute: name } : { field });
  }
  return seen.has('email') ? columns : 'has no column named email';
}

function fieldOf(name: string): (typeof FIELDS)[number] | undefined {
  const key = name.toLowerCase().replace(/[\s_-]+/g, '');
  return Object.hasOwn(SPELLINGS, key) ? SPELLINGS[key] : undefined;
}

// The one that is there most often outside of quotes. A header with none of them has one column.
function findDelimiter(text: string): CsvLayout['delimiter'] {
  const plain = text.replace(/"[^"]*"/g, '');
  const count = (mark: string) => plain.split(mark).length;
  const marks = [',', ';', '\t'] as const;
  return marks.reduce((best, mark) => (count(mark) > count(best) ? mark : best), marks[0]);
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

function foreignEncoding(head: Buffer): string | null {
  const [first, second, third, fourth] = head;
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const unmarked =
    (first === 0 && second !== 0) || (second === 0 && first !== 0 && fourth === 0 && third !== 0);
  return marked || unmarked ? 'is in UTF-16; save it as UTF-8' : null;
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
