// The header of ready-made mail, field by field, as its author wrote it (RFC 5322 section 2.2). Linear in its size; the
// body is not read.
// Guarantee: what is read here has one reading. A line that a lenient server could take for the end of the header, or for
// the start of another field, is refused.

import { MAX_LINE_OCTETS } from '../header.ts';

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

/** Octets of the header of a part. */
const MAX_PART_HEADER_OCTETS = 16 * 1024;

/** Fields. A message that was forwarded a few times has about a hundred. */
const MAX_FIELDS = 1_000;

// RFC 5322 section 2.2: printable ASCII but the colon. Old mail has blanks before that (section 4.5): some servers do not
// see a From there, and verifiers of DKIM take no such message.
const FIELD = /^([!-9;-~]+):/;

/** Reads the header of mail whose line ends are all CRLF; `added` fields of ours are in it beside the author's. */
export function readHeaderSection(raw: Buffer, added = 0): SectionResult {
  const max = MAX_HEADER_OCTETS + added * MAX_LINE_OCTETS;
  const empty = emptyLine(raw, 0, max);
  const end = empty ?? raw.length;
  if (end > max)
    return refuse(`has a header larger than ${MAX_HEADER_OCTETS / 1024} KiB, or no empty line after it`);
  const fields = readFields(raw, 0, end, MAX_FIELDS + added);
  if (typeof fields === 'string') return refuse(fields);
  return { ok: true, section: { fields, bodyStart: empty === null ? raw.length : end + 2 } };
}

/** Reads the header of a part that begins at an offset; null for one that has none to be relied on. */
export function readPartHeader(raw: Buffer, start: number): HeaderSection | null {
  const end = emptyLine(raw, start, MAX_PART_HEADER_OCTETS);
  if (end === null) return null;
  const fields = readFields(raw, start, end, MAX_FIELDS);
  // A name that begins so is a boundary with a colon in it: the header of the next part.
  const isOwn = typeof fields !== 'string' && !fields.some(({ lower }) => lower.startsWith('--'));
  return isOwn ? { fields, bodyStart: end + 2 } : null;
}

/** The value of a field without its folding (RFC 5322 section 2.2.3), trimmed. */
export function fieldValue(raw: Buffer, { value, end }: RawField): string {
  return raw.toString('utf8', value, end).replaceAll('\r\n', '').trim();
}

/** The fields of a name, given in lower case. */
export function fieldsNamed({ fields }: HeaderSection, lower: string): RawField[] {
  return fields.filter((field) => field.lower === lower);
}

/** The mail without these fields, given in their order. */
export function withoutFields(raw: Buffer, fields: readonly RawField[]): Buffer {
  const kept: Buffer[] = [];
  let from = 0;
  for (const { start, end } of fields) {
    kept.push(raw.subarray(from, start));
    from = end;
  }
  kept.push(raw.subarray(from));
  return Buffer.concat(kept);
}

// The offset of the empty line that ends a header, which may be the first; null when there is none in so many octets.
function emptyLine(raw: Buffer, start: number, max: number): number | null {
  if (raw[start] === 0x0d) return start;
  const at = raw.subarray(start, start + max + 4).indexOf('\r\n\r\n');
  return at < 0 ? null : start + at + 2;
}

function readFields(raw: Buffer, start: number, end: number, max: number): RawField[] | string {
  const fields: RawField[] = [];
  const header = raw.subarray(0, end);
  for (let at = start; at < end;) {
    const field = readField(header, at, fields.length + 1);
    if (typeof field === 'string') return field;
    if (fields.push(field) > max) return `has more than ${MAX_FIELDS} header fields`;
    at = field.end;
  }
  return fields;
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
