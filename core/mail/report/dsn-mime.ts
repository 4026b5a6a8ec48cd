// What reports say, part by part, as mailparser reads it. Reports come from old and broken servers, so any line ends
// will do, and where the parser finds no parts the text is used as it is.
// Guarantee: never rejects; reads MAX_REPORT_BYTES at most.

import { isUtf8 } from 'node:buffer';
import type { ParsedMail } from 'mailparser';

import { parseMail } from '../parse-mail.ts';

/** One part. `type` is lower case, such as `text/plain`; `text` is decoded, with LF line ends. */
export interface ReportPart {
  type: string;
  /** Values of each field by lower-case name, unfolded. */
  headers: Map<string, string[]>;
  text: string;
  children: ReportPart[];
}

/** Bytes of a report that are read. What a server says comes before the message that it returns. */
const MAX_REPORT_BYTES = 1024 * 1024;

const MAX_HEADER_CHARS = 64 * 1024;

/** Reads a whole message: its fields, and below them its parts, texts first. Never rejects. */
export async function readReportParts(bytes: Buffer): Promise<ReportPart> {
  const text = bytes
    .subarray(0, MAX_REPORT_BYTES)
    .toString('latin1')
    .replaceAll('\0', '') // what PostgreSQL cannot hold; nobody means it
    .replace(/\r\n|\r/g, '\n');
  // mbox files put a "From " line on top; some servers an empty line before the header.
  const { header, body } = splitHeader(text.replace(/^\n{0,3}(?:From [^\n]*\n)?/, ''));
  const headers = readFields(header);
  const type = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(headers.get('content-type')?.[0] ?? '')?.[1] ?? 'text/plain';
  const mail = await parseMail(Buffer.from(`${header}\n\n${body}`, 'latin1')).catch(() => null);
  const children = mail === null ? [] : partsOf(mail);
  // Without its boundary a multipart has no parts, but the text is there all the same.
  const rest = children.length > 0 ? '' : toText(Buffer.from(body, 'latin1'));
  return { type: type.toLowerCase(), headers, text: rest, children };
}

/** The first value of a field, or an empty string. */
export function headerOf(part: ReportPart, name: string): string {
  return part.headers.get(name)?.[0] ?? '';
}

/** All parts of a tree, parents before children. */
export function* walkParts(part: ReportPart): Generator<ReportPart> {
  yield part;
  for (const child of part.children) yield* walkParts(child);
}

/** Reads `Name: value` lines up to the first empty line, within MAX_HEADER_CHARS; continued lines are joined. */
export function readFields(text: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  let values: string[] = [];
  let pieces: string[] = []; // of the last field
  const finish = () => {
    if (pieces.length > 0) values.push(pieces.join(' ').trim());
    pieces = [];
  };
  for (const line of text.slice(0, MAX_HEADER_CHARS).split('\n')) {
    if (line.trim() === '') break;
    const field = /^([!-9;-~]{1,80})[ \t]*:(.*)$/.exec(line);
    if (field && !/^[ \t]/.test(line)) {
      finish();
      const name = (field[1] ?? '').toLowerCase();
      values = fields.get(name) ?? [];
      fields.set(name, values);
      pieces.push((field[2] ?? '').trim());
    } else if (pieces.length > 0 && /^[ \t]/.test(line)) pieces.push(line.trim());
  }
  finish();
  return fields;
}

// A part that starts with text instead of a header (a broken boundary, a missing empty line) is all body.
function splitHeader(source: string): { header: string; body: string } {
  if (source.startsWith('\n')) return { header: '', body: source.slice(1) };
  const end = source.indexOf('\n\n');
  const header = end < 0 ? source : source.slice(0, end);
  if (!/^[!-9;-~]{1,80}[ \t]*:/.test(header)) return { header: '', body: source };
  return { header, body: end < 0 ? '' : source.slice(end + 2) };
}

function partsOf({ text, html, attachments }: ParsedMail): ReportPart[] {
  const part = (type: string, content: string): ReportPart => ({
    type,
    headers: new Map(),
    text: content.replaceAll('\0', '').replace(/\r\n?/g, '\n'),
    children: [],
  });
  return [
    ...(text ? [part('text/plain', text)] : []),
    ...(html ? [part('text/html', html)] : []),
    ...attachments.map(({ contentType, content }) => part(contentType.toLowerCase(), toText(content))),
  ];
}

// What is no UTF-8 is read as Latin-1, which never fails.
function toText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
}
