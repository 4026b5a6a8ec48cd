// What the parts of ready-made mail say: transfer encodings (RFC 2045 section 6) and charsets undone.

import iconv from 'iconv-lite';

import { decodeText } from '../charset.ts';
import type { MimePart } from './mime-parts.ts';
import { readableParameter } from './parameters.ts';

/** The name of the file that a part is; undefined for a part that is to be read. */
export function filenameOf({ type, disposition }: MimePart): string | undefined {
  const name = readableParameter(disposition, 'filename') ?? readableParameter(type, 'name');
  if (name !== undefined) return name;
  return disposition.value === 'attachment' ? '' : undefined;
}

/** The octets of a part; as they stand when its encoding is unknown. */
export function partOctets(raw: Buffer, { section, end, encoding }: MimePart): Buffer {
  const body = raw.subarray(section.bodyStart, end);
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  return encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body;
}

/** The text of a part, whatever is wrong with it. */
export function partText(raw: Buffer, part: MimePart): string {
  const charset = charsetOf(part) ?? '';
  return decodeText(partOctets(raw, part), isSlow(charset) ? '' : charset);
}

/** The text of a part, and how to make octets of a changed one; null where a change could damage what it says. */
export function changeableText(
  raw: Buffer,
  part: MimePart,
): { text: string; toOctets: (text: string) => Buffer } | null {
  const charset = charsetOf(part) ?? 'utf-8';
  if (!ENCODINGS.includes(part.encoding) || !iconv.encodingExists(charset) || isSlow(charset)) return null;
  const octets = partOctets(raw, part);
  const text = iconv.decode(octets, charset, { stripBOM: false });
  const toOctets = (changed: string) => iconv.encode(changed, charset, { addBOM: false });
  return toOctets(text).equals(octets) ? { text, toOctets } : null;
}

// UTF-7 and CESU-8: nobody sends them, and iconv-lite takes 200 to 900 ns for each octet, so 20 s for the largest mail.
function isSlow(charset: string): boolean {
  return /utf7|cesu/.test(charset.toLowerCase().replace(/[^0-9a-z]/g, '')); // as iconv-lite reads the name
}

function charsetOf({ type }: MimePart): string | undefined {
  return type.parameters.get('charset');
}

const ENCODINGS = ['7bit', '8bit', 'binary', 'quoted-printable', 'base64'];

const EQUALS = 0x3d;
// What a digit of hexadecimal stands for, by its octet; 255 for what is none.
const HEX = Uint8Array.from({ length: 256 }, (_, octet) => {
  const digit = Number.parseInt(String.fromCharCode(octet), 16);
  return Number.isNaN(digit) ? 255 : digit;
});

function fromQuotedPrintable(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length);
  let size = 0;
  for (let start = 0; start < body.length;) {
    const found = body.indexOf('\r\n', start);
    const lineEnd = found < 0 ? body.length : found;
    // Blanks at the end of a line were added on the way (RFC 2045 section 6.7, rule 3).
    let end = lineEnd;
    while (end > start && (body[end - 1] === 0x20 || body[end - 1] === 0x09)) end -= 1;
    const isSoft = end > start && body[end - 1] === EQUALS;
    if (isSoft) end -= 1;
    for (let at = start; at < end; at += 1) {
      const high = body[at] === EQUALS && at + 2 < end ? HEX[body[at + 1]!]! : 255;
      const low = high < 16 ? HEX[body[at + 2]!]! : 255;
      out[size++] = low < 16 ? high * 16 + low : body[at]!;
      if (low < 16) at += 2;
    }
    if (!isSoft && found >= 0) size += out.write('\r\n', size);
    start = lineEnd + 2;
  }
  return out.subarray(0, size);
}
