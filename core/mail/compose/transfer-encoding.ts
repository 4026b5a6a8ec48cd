// Content-Transfer-Encoding for text parts (RFC 2045 section 6).
// Guarantee: encoded text is 7-bit, has CRLF line ends only and no line over 76 characters; decoding gives
// back the text with its line ends as CRLF. A boundary that starts with `=_` can occur in none of the three
// forms.

/** A text part ready for the wire. */
export type EncodedText = { encoding: '7bit' | 'quoted-printable' | 'base64'; content: string };

/** Octets of an encoded line, RFC 2045 sections 6.7 and 6.8. */
export const MAX_ENCODED_LINE = 76;

const SPACE = 0x20;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const EQUALS = 0x3d;
const HEX = Buffer.from('0123456789ABCDEF', 'latin1');
const FROM = [...Buffer.from('From ', 'latin1')];
// 1 for the printable octets that quoted-printable leaves as they are.
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte > SPACE && byte < 0x7f && byte !== EQUALS),
);
const BOUNDARY_START = '=_';

/**
 * Encodes a text part: as it is when that survives every relay, base64 when most of it is not ASCII (three
 * quarters the size of quoted-printable for Greek or Japanese), else quoted-printable. Lone surrogates become
 * U+FFFD.
 */
export function encodeText(text: string): EncodedText {
  const lines = toCrlf(text);
  if (isTransparent(lines)) return { encoding: '7bit', content: lines };
  return encodeOctets(Buffer.from(lines, 'utf8'));
}

/** Encodes the octets of a text as quoted-printable or base64, whichever suits them; decoding gives them back. */
export function encodeOctets(bytes: Buffer): EncodedText {
  return isMostlyAscii(bytes)
    ? { encoding: 'quoted-printable', content: quotedPrintable(bytes) }
    : { encoding: 'base64', content: base64Lines(bytes) };
}

/** The text with every CRLF, CR and LF as CRLF. */
export function toCrlf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

// Plain ASCII that no relay on the way has a reason to touch: no long lines, no white space at line ends, no
// line that starts with "From " (mbox writers put > before it) or with a dot (SMTP doubles it, and bad
// servers keep both).
function isTransparent(text: string): boolean {
  let column = 0;
  let last = LF;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === CR) {
      if (last === SPACE || last === TAB) return false;
      column = -1;
    } else if (code > 0x7e || (code < SPACE && code !== TAB && code !== LF)) return false;
    else if (column === 0 && (code === 0x2e || (code === 0x46 && text.startsWith('From ', at)))) return false;
    last = code;
    column = code === LF ? 0 : column + 1;
    if (column > MAX_ENCODED_LINE) return false;
  }
  return last !== SPACE && last !== TAB && !text.includes(BOUNDARY_START);
}

/**
 * Whether quoted-printable suits these octets better than base64. It triples what is not ASCII while base64
 * adds a third to everything: they meet at one octet in six, but a source that can be read is worth more than
 * the last percent.
 */
export function isMostlyAscii(bytes: Buffer): boolean {
  let high = 0;
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] ?? 0) > 0x7e) high += 1;
  return high * 4 <= bytes.length;
}

/**
 * Quoted-printable (RFC 2045 section 6.7) of text whose line ends are CRLF; never splits a UTF-8 character.
 * About 6 µs a KiB: every octet of most messages goes through this loop, so it calls nothing for a plain one.
 */
function quotedPrintable(bytes: Uint8Array): string {
  // At worst three characters an octet, and a soft break (three more) for every 21 octets (63 characters) or
  // so.
  const out = Buffer.allocUnsafe(bytes.length * 3 + Math.ceil(bytes.length / 8) * 3 + 8);
  let size = 0;
  let column = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === CR && bytes[at + 1] === LF) {
      out[size++] = CR;
      out[size++] = LF;
      column = 0;
      at += 1;
      continue;
    }
    let literal = PLAIN[byte] === 1 || ((byte === SPACE || byte === TAB) && !endsLine(bytes, at + 1));
    // One column is kept for the = of a soft break; a character of several octets moves to the next line
    // whole.
    if (column + (literal ? 1 : 3 * sequenceLength(byte)) > MAX_ENCODED_LINE - 1) {
      out[size++] = EQUALS;
      out[size++] = CR;
      out[size++] = LF;
      column = 0;
    }
    if (column === 0 && literal && opensDangerously(bytes, at, byte)) literal = false;
    if (literal) {
      out[size++] = byte;
      column += 1;
    } else {
      out[size++] = EQUALS;
      out[size++] = HEX[byte >> 4] ?? 0;
      out[size++] = HEX[byte & 15] ?? 0;
      column += 3;
    }
  }
  return out.toString('latin1', 0, size);
}

function endsLine(bytes: Uint8Array, at: number): boolean {
  return at === bytes.length || (bytes[at] === CR && bytes[at + 1] === LF);
}

// A line that starts with "From " gets a > from mbox writers, and one that starts with a dot is doubled by
// SMTP.
function opensDangerously(bytes: Uint8Array, at: number, byte: number): boolean {
  return (
    byte === 0x2e || (byte === 0x46 && FROM.every((expected, offset) => bytes[at + offset] === expected))
  );
}

// Continuation octets count as one: their line was chosen by the octet that leads them.
function sequenceLength(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}

function base64Lines(bytes: Buffer): string {
  const text = bytes.toString('base64');
  let out = '';
  for (let at = 0; at < text.length; at += MAX_ENCODED_LINE) {
    out += (at > 0 ? '\r\n' : '') + text.slice(at, at + MAX_ENCODED_LINE);
  }
  return out;
}
