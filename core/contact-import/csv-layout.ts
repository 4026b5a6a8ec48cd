// The header row of a CSV file: which delimiter, and what each column is.

import { parse } from 'csv-parse/sync';

import { trimEnd } from '../base/trim-end.ts';
import { attributeNameProblem, MAX_ATTRIBUTES } from '../contact/contact.ts';
import { fieldOfName, mayBeEmail, type ImportField } from './column-names.ts';

/**
 * What a column holds: a field of the contact, the attribute of that name, or nothing that is imported. `isNameless`: a cell
 * with a value fails its row, since nobody knows what it means.
 */
export type CsvColumn = { field: ImportField } | { attribute: string } | { ignored: true; isNameless?: true };

/** How a file is read. */
export interface CsvLayout {
  delimiter: ',' | ';' | '\t';
  columns: CsvColumn[];
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
export function readCsvLayout(head: Buffer, ended: boolean): ReadLayout {
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
  const columns = toColumns(names);
  if (typeof columns === 'string') return refuse(columns);
  return { ok: true, layout: { delimiter, columns, headerBytes: end ?? head.length } };
}

function toColumns(names: string[]): CsvColumn[] | string {
  if (names.length > MAX_ATTRIBUTES) return `has more than ${MAX_ATTRIBUTES} columns`;
  const seen = new Set<string>();
  const fields = new Set<ImportField>();
  const columns: CsvColumn[] = [];
  const hasEmail = names.some((name) => fieldOfName(name) === 'email');
  for (const raw of names) {
    const name = raw.trim();
    if (name === '') {
      columns.push({ ignored: true, isNameless: true });
      continue;
    }
    const problem = attributeNameProblem(name);
    if (problem !== null) return problem;
    const field = fieldOfName(name) ?? (!hasEmail && mayBeEmail(name) ? 'email' : undefined);
    if (seen.has(name.toLowerCase()) || (field === 'email' && fields.has(field)))
      return `has two columns named ${name}`;
    seen.add(name.toLowerCase());
    const isField = field !== undefined && !fields.has(field);
    columns.push(isField ? { field } : { attribute: name });
    if (isField) fields.add(field);
  }
  return fields.has('email') ? columns : 'has no column named email';
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
