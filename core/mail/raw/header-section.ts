// The header of ready-made mail, field by field, as its author wrote it (RFC 5322 section 2.2). Linear in its size, and
// the body is never looked at.
// Guarantee: what is read here has one reading. A line that a lenient server could take for the end of the header, or for
// the start of another field, is refused.

import { isAscii, isUtf8 } from 'node:buffer';

/** One field: `start` to `end` are its octets with the CRLF at its end; its value begins at `value`. */
export interface RawField {
  /** The name in lower case. */
  lower: string;
  start: number;
  value: number;
  end: number;
}

/** The fields in order, and where the body begins: after the empty line, or at the end of what has none. */
export interface HeaderSection {
  fields: RawField[];
  bodyStart: number;
}

/** The section, or what is wrong with it as the end of a sentence. */
type SectionResult = { ok: true; section: HeaderSection } | { ok: false; problem: string };

/** Octets. Postfix keeps 100 KiB of a header, Gmail 500 KB; fields that forwarding adds have room here. */
const MAX_HEADER_OCTETS = 256 * 1024;

/** Fields. A message that was forwarded a few times has about a hundred. */
const MAX_FIELDS = 1_000;

// RFC 5322 section 2.2: printable ASCII but the colon; section 4.5: old mail has blanks before it.
const FIELD = /^([!-9;-~]+)[ \t]*:/;

/** Reads the header of mail whose line ends are all CRLF. */
export function readHeaderSection(raw: Buffer): SectionResult {
  const empty = raw.subarray(0, MAX_HEADER_OCTETS + 4).indexOf('\r\n\r\n');
  const end = empty < 0 ? raw.length : empty + 2;
  if (end > MAX_HEADER_OCTETS)
    return refuse(`has a header larger than ${MAX_HEADER_OCTETS / 1024} KiB, or no empty line after it`);
  const header = raw.subarray(0, end);
  if (!isAscii(header) && !isUtf8(header))
    return refuse(
      'has octets in its header that are neither ASCII nor UTF-8: write them as encoded words (RFC 2047)',
    );
  const fields: RawField[] = [];
  for (let start = 0; start < end;) {
    const field = readField(header, start, fields.length + 1);
    if (typeof field === 'string') return refuse(field);
    if (fields.push(field) > MAX_FIELDS) return refuse(`has more than ${MAX_FIELDS} header fields`);
    start = field.end;
  }
  return { ok: true, section: { fields, bodyStart: empty < 0 ? raw.length : empty + 4 } };
}

/** The value of a field without its folding (RFC 5322 section 2.2.3), trimmed. */
export function fieldValue(raw: Buffer, { value, end }: RawField): string {
  return raw.toString('utf8', value, end).replaceAll('\r\n', '').trim();
}

/** The fields of a name, given in lower case. */
export function fieldsNamed({ fields }: HeaderSection, lower: string): RawField[] {
  return fields.filter((field) => field.lower === lower);
}

function readField(header: Buffer, start: number, nth: number): RawField | string {
  let end = lineEnd(header, start);
  const name = FIELD.exec(header.toString('latin1', start, end));
  if (!name) return `has a line that is no header field, after ${nth - 1} that are`;
  while (end < header.length && isBlank(header[end])) {
    const next = lineEnd(header, end);
    if (header.toString('latin1', end, next).trim() === '')
      return `has a line of nothing but blanks in its header, in field ${nth} (${name[1]})`;
    end = next;
  }
  return { lower: name[1]!.toLowerCase(), start, value: start + name[0].length, end };
}

function lineEnd(header: Buffer, from: number): number {
  const at = header.indexOf('\r\n', from);
  return at < 0 ? header.length : at + 2;
}

function isBlank(octet: number | undefined): boolean {
  return octet === 0x20 || octet === 0x09;
}

function refuse(problem: string): SectionResult {
  return { ok: false, problem };
}
