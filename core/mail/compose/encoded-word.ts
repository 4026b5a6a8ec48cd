// RFC 2047 encoded words: text above ASCII inside header fields.

/** Octets of one encoded word with its delimiters, RFC 2047 section 2. */
export const MAX_ENCODED_WORD_OCTETS = 75;

const PREFIX_Q = '=?UTF-8?Q?';
const PREFIX_B = '=?UTF-8?B?';
const ROOM = MAX_ENCODED_WORD_OCTETS - PREFIX_Q.length - '?='.length;
// Base64 makes four octets of three, and a word may not end inside a group.
const ROOM_B = Math.floor(ROOM / 4) * 3;

const ENCODED_WORD = /^=\?([A-Za-z0-9-]{1,40})(?:\*[A-Za-z0-9-]{1,40})?\?([BbQq])\?([!-><-~]{0,900})\?=$/;
const CHARSETS = new Set(['utf-8', 'us-ascii', 'iso-8859-1', 'iso-8859-15', 'windows-1252', 'iso-2022-jp']);

/**
 * Encoded words for any text, each at most 75 octets and holding whole characters (RFC 2047 section 5), to be
 * joined by a space or a fold. Q or B, whichever is shorter. The set of literal characters is that of a
 * phrase (5.3), so the words are valid in names and in unstructured fields alike.
 */
export function encodeWords(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  let plain = 0;
  for (const byte of bytes) if (isPhraseSafe(byte) || byte === 0x20) plain += 1;
  const qLength = plain + (bytes.length - plain) * 3;
  return qLength <= (bytes.length * 4) / 3 + 4 ? packQuoted(text) : packBase64(text);
}

/**
 * The phrase with its encoded words decoded and the space between two neighbours dropped (RFC 2047 section
 * 6.2); text without `=?` comes back as it is. null when a word is malformed, in a charset not known here, or
 * not valid in it.
 */
export function decodeEncodedWords(phrase: string): string | null {
  if (!phrase.includes('=?')) return phrase;
  let out = '';
  let previousEncoded = false;
  for (const word of phrase.split(/ +/)) {
    const encoded = word.includes('=?');
    const text = encoded ? decodeWord(word) : word;
    if (text === null) return null;
    out += (out !== '' && !(encoded && previousEncoded) ? ' ' : '') + text;
    previousEncoded = encoded;
  }
  return out;
}

function decodeWord(word: string): string | null {
  const match = ENCODED_WORD.exec(word);
  if (!match) return null;
  const [, charset = '', encoding = '', body = ''] = match;
  if (!CHARSETS.has(charset.toLowerCase())) return null;
  const bytes = encoding.toUpperCase() === 'B' ? fromBase64(body) : fromQ(body);
  if (bytes === null) return null;
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function fromBase64(body: string): Buffer | null {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(body) ? Buffer.from(body, 'base64') : null;
}

function fromQ(body: string): Buffer | null {
  if (/=(?![0-9A-Fa-f]{2})/.test(body)) return null;
  const text = body
    .replace(/_/g, ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}

function packBase64(text: string): string[] {
  const words: string[] = [];
  let chunk = '';
  let size = 0;
  for (const char of text) {
    const width = Buffer.byteLength(char);
    if (size + width > ROOM_B) {
      words.push(`${PREFIX_B}${Buffer.from(chunk).toString('base64')}?=`);
      chunk = '';
      size = 0;
    }
    chunk += char;
    size += width;
  }
  words.push(`${PREFIX_B}${Buffer.from(chunk).toString('base64')}?=`);
  return words;
}

function packQuoted(text: string): string[] {
  const words: string[] = [];
  let chunk = '';
  for (const char of text) {
    const piece = quoted(char);
    if (chunk.length + piece.length > ROOM) {
      words.push(`${PREFIX_Q}${chunk}?=`);
      chunk = '';
    }
    chunk += piece;
  }
  words.push(`${PREFIX_Q}${chunk}?=`);
  return words;
}

function quoted(char: string): string {
  if (char === ' ') return '_';
  let out = '';
  for (const byte of Buffer.from(char, 'utf8')) {
    out += isPhraseSafe(byte)
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

// RFC 2047 section 5 rule (3): letters, digits and ! * + - / only.
function isPhraseSafe(byte: number): boolean {
  const letter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  const digit = byte >= 0x30 && byte <= 0x39;
  return letter || digit || byte === 0x21 || byte === 0x2a || byte === 0x2b || byte === 0x2d || byte === 0x2f;
}
