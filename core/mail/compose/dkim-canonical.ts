// The relaxed canonical forms of DKIM (RFC 6376 sections 3.4.2 and 3.4.4).
// All text here is "binary": one character per octet (latin1), so that 8-bit mail is signed octet by octet.

/**
 * One header field as it stands in the message: `lower` is its name in lower case, `value` all after the
 * colon.
 */
export type RawHeader = { lower: string; value: string };

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Splits a header block into its fields, folded lines kept inside their value. Throws on a line without a
 * colon.
 */
export function splitHeaders(block: string): RawHeader[] {
  const fields: RawHeader[] = [];
  for (const field of block.split(/\r\n(?![ \t])/)) {
    if (field === '') continue;
    const colon = field.indexOf(':');
    if (colon < 1) throw new RangeError('header block has a line that is no header field');
    fields.push({ lower: field.slice(0, colon).trimEnd().toLowerCase(), value: field.slice(colon + 1) });
  }
  return fields;
}

/**
 * One field in relaxed form, without CRLF (section 3.4.2): unfolded, runs of white space as one space, ends
 * trimmed.
 */
export function relaxedHeader(lower: string, value: string): string {
  // An own trim, not String.trim: that would also take octet 0xA0, which latin1 shows as a no-break space.
  const text = value.replace(/\r\n/g, '').replace(/[ \t]+/g, ' ');
  return `${lower}:${text.slice(text.startsWith(' ') ? 1 : 0, text.endsWith(' ') ? -1 : undefined)}`;
}

/**
 * The body in relaxed form (section 3.4.4): runs of white space as one space, none at line ends, no empty
 * lines at the end, CRLF after the last line. A body of nothing but such lines is empty. May return (part of)
 * the given Buffer.
 */
export function relaxedBody(body: Buffer): Buffer {
  return isRelaxed(body) ? withoutTrailingLines(body) : withoutTrailingLines(relaxLines(body));
}

// What our own composer writes has no white space at line ends, and often none doubled: four searches, no
// copy.
function isRelaxed(body: Buffer): boolean {
  return !body.includes('  ') && !body.includes(' \r\n') && !body.includes(TAB) && body.at(-1) !== SPACE;
}

// Octet by octet into a buffer that is large enough, since ready-made mail may be 25 MiB of blanks: replacing in a text took
// 10 s and 900 MB for that. A blank is written when what follows it is known to be no line end.
function relaxLines(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length);
  let size = 0;
  let blank = false;
  for (let at = 0; at < body.length; at += 1) {
    const octet = body[at]!;
    if (octet === SPACE || octet === TAB) {
      blank = true;
      continue;
    }
    if (blank && !(octet === CR && body[at + 1] === LF)) out[size++] = SPACE;
    blank = false;
    out[size++] = octet;
  }
  return out.subarray(0, size);
}

function withoutTrailingLines(body: Buffer): Buffer {
  let end = body.length;
  while (end >= 2 && body[end - 2] === CR && body[end - 1] === LF) end -= 2;
  if (end === 0) return Buffer.alloc(0);
  return end + 2 <= body.length ? body.subarray(0, end + 2) : Buffer.concat([body, Buffer.from('\r\n')]);
}
