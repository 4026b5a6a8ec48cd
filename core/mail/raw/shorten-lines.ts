// Ready-made mail with lines over 998 octets (RFC 5322 section 2.1.1), as cron and HTML on one line are sent: header fields are folded,
// and a text part with such a line is encoded again. All other octets stay as they are.

import { encodeOctets } from '../compose/transfer-encoding.ts';
import { MAX_LINE_OCTETS } from '../header.ts';
import { fieldsNamed, readHeaderSection, type RawField } from './header-section.ts';
import { isLongLine, lineProblem } from './lines.ts';
import { readParts, type MimePart } from './mime-parts.ts';
import { partOctets } from './part-text.ts';

/** The mail, or what keeps it from being shortened as the end of a sentence. */
type ShortenResult = { ok: true; raw: Buffer } | { ok: false; problem: string };

interface Edit {
  start: number;
  end: number;
  by: string;
}

const FOLD_AT = 78; // octets of a line that is folded, as RFC 5322 section 2.1.1 asks for
const ADDRESS_FIELDS = new Set(['from', 'sender', 'reply-to', 'to', 'cc', 'bcc']);
const ENCODINGS = new Set(['7bit', '8bit', 'binary', 'quoted-printable', 'base64']);

/**
 * Shortens the lines of mail; the same buffer where none is too long, or where something else is wrong before that or in its header. A long line is
 * refused in a part that is signed or encrypted (RFC 1847) or no text, and in a field that cannot be folded. Linear in its size.
 */
export function shortenLines(raw: Buffer): ShortenResult {
  const problem = lineProblem(raw);
  const read = problem !== null && isLongLine(problem) ? readHeaderSection(raw) : null;
  if (!read?.ok) return { ok: true, raw };
  const { section } = read;
  const edits: Edit[] = [];
  const fold = (field: RawField): string | null => {
    if (!hasLongLine(raw, field.start, field.end)) return null;
    const by = foldField(raw.toString('latin1', field.start, field.end), field.lower);
    if (by === null) return raw.toString('latin1', field.start, field.value - 1);
    edits.push({ start: field.start, end: field.end, by });
    return null;
  };
  for (const field of section.fields) {
    const unfoldable = fold(field);
    if (unfoldable !== null) return refuse(`in its field ${unfoldable}, which cannot be folded`);
  }
  let encodes = false;
  for (const [n, part] of readParts(raw, section).entries()) {
    const isTop = part.section === section;
    for (const field of isTop ? [] : part.section.fields) {
      const unfoldable = part.sealed ? null : fold(field);
      if (unfoldable !== null) return refuse(`in the field ${unfoldable} of its part ${n + 1}`);
    }
    if (!hasLongLine(raw, part.section.bodyStart, part.end)) continue;
    const why = whyNot(part);
    if (why !== null) return refuse(`in its part ${n + 1} (${part.type.value}), ${why}`);
    edits.push(...encodeAgain(raw, part));
    encodes = true;
  }
  if (encodes && fieldsNamed(section, 'mime-version').length === 0)
    edits.push({ start: 0, end: 0, by: 'MIME-Version: 1.0\r\n' });
  return { ok: true, raw: apply(raw, edits) };
}

function whyNot({ sealed, type, encoding }: MimePart): string | null {
  if (sealed) return 'which is signed or encrypted';
  if (!type.value.startsWith('text/')) return 'which is no text';
  return ENCODINGS.has(encoding) ? null : `whose encoding ${encoding} is not known`;
}

function encodeAgain(raw: Buffer, part: MimePart): Edit[] {
  const { section, end } = part;
  const { encoding, content } = encodeOctets(partOctets(raw, part));
  const by = `Content-Transfer-Encoding: ${encoding}\r\n\r\n${content}`;
  return [
    ...fieldsNamed(section, 'content-transfer-encoding').map((field) => ({ ...field, by: '' })),
    { start: section.bodyStart - 2, end, by },
  ];
}

function apply(raw: Buffer, edits: Edit[]): Buffer {
  const pieces: Buffer[] = [];
  let kept = 0;
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(raw.subarray(kept, start), Buffer.from(by, 'latin1'));
    kept = end;
  }
  return Buffer.concat([...pieces, raw.subarray(kept)]);
}

function hasLongLine(raw: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    const found = raw.indexOf('\r\n', at);
    const lineEnd = found < 0 || found > end ? end : found;
    if (lineEnd - at > MAX_LINE_OCTETS) return true;
    at = lineEnd + 2;
  }
  return false;
}

// Octets as latin1, with its CRLF; null where a line has no place to fold.
function foldField(field: string, lower: string): string | null {
  const lines = field.split('\r\n').map((line) => foldLine(line, ADDRESS_FIELDS.has(lower)));
  return lines.includes(null) ? null : lines.join('\r\n');
}

// Before blanks (RFC 5322 section 2.2.3), and between addresses behind a comma too.
function foldLine(line: string, isAddresses: boolean): string | null {
  if (line.length <= MAX_LINE_OCTETS) return line;
  const pieces: string[] = [];
  let start = 0;
  let place = 0; // the last one to fold at
  let quoted = false;
  const cut = (at: number) => {
    const piece = line.slice(start, at);
    pieces.push(pieces.length === 0 || /^[ \t]/.test(piece) ? piece : ` ${piece}`);
    start = at;
  };
  for (let at = 1; at < line.length; at += 1) {
    const [before, here] = [line[at - 1]!, line[at]!];
    if (before === '"' && line[at - 2] !== '\\') quoted = !quoted;
    const atBlank = isBlank(here) && !isBlank(before) && before !== ':';
    const atComma = isAddresses && !quoted && before === ',' && !isBlank(here);
    if (!atBlank && !atComma) continue;
    if (at - start > FOLD_AT && place > start) cut(place);
    place = at;
  }
  if (line.length - start > FOLD_AT && place > start && line.slice(place).trim() !== '') cut(place);
  cut(line.length);
  return pieces.some((piece) => piece.length > MAX_LINE_OCTETS) ? null : pieces.join('\r\n');
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t';
}

function refuse(where: string): ShortenResult {
  return { ok: false, problem: `has more than ${MAX_LINE_OCTETS} octets in a line ${where}` };
}
