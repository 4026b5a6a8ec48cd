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
  return decodeText(partOctets(raw, part), part.type.parameters.get('charset') ?? '');
}

/** The text of a part, and how to make octets of a changed one; null where a change could damage what it says. */
export function changeableText(
  raw: Buffer,
  part: MimePart,
): { text: string; toOctets: (text: string) => Buffer } | null {
  const charset = part.type.parameters.get('charset') ?? 'utf-8';
  if (!ENCODINGS.includes(part.encoding) || !iconv.encodingExists(charset)) return null;
  const octets = partOctets(raw, part);
  const text = iconv.decode(octets, charset, { stripBOM: false });
  const toOctets = (changed: string) => iconv.encode(changed, charset, { addBOM: false });
  return toOctets(text).equals(octets) ? { text, toOctets } : null;
}

const ENCODINGS = ['7bit', '8bit', 'binary', 'quoted-printable', 'base64'];

const EQUALS = 0x3d;
const HEX = /^[0-9A-Fa-f]{2}$/;

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
      const hex = body[at] === EQUALS && at + 2 < end ? body.toString('latin1', at + 1, at + 3) : '';
      const isCoded = HEX.test(hex);
      out[size++] = isCoded ? Number.parseInt(hex, 16) : body[at]!;
      if (isCoded) at += 2;
    }
    if (!isSoft && found >= 0) size += out.write('\r\n', size);
    start = lineEnd + 2;
  }
  return out.subarray(0, size);
}
