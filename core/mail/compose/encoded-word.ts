// RFC 2047 encoded words: text above ASCII inside header fields.

/** Octets of one encoded word with its delimiters, RFC 2047 section 2. */
export const MAX_ENCODED_WORD_OCTETS = 75;

const DELIMITERS = '=?UTF-8?Q??='.length;
const LEAST_FIRST_WORD = 32; // less than this on the first line is not worth a word; any character takes 24 at most

const ENCODED_WORD = /^=\?([A-Za-z0-9-]{1,40})(?:\*[A-Za-z0-9-]{1,40})?\?([BbQq])\?([!-><-~]{0,900})\?=$/;
const CHARSETS = new Set(['utf-8', 'us-ascii', 'iso-8859-1', 'iso-8859-15', 'windows-1252', 'iso-2022-jp']);

/**
 * Encoded words for any text, each at most 75 octets and holding whole characters (RFC 2047 section 5), to be
 * joined by folds. The first one has at most `first` octets, since it stands behind the field's name: it is the
 * empty string when that is too few, so that the first fold follows the name. Q or B, whichever is shorter. The set
 * of literal characters is that of a phrase (5.3), so the words are valid in names and in unstructured fields alike.
 */
export function encodeWords(text: string, first = MAX_ENCODED_WORD_OCTETS): string[] {
  const bytes = Buffer.from(text, 'utf8');
  let plain = 0;
  for (const byte of bytes) if (isPhraseSafe(byte) || byte === 0x20) plain += 1;
  const qLength = plain + (bytes.length - plain) * 3;
  const encoding = qLength <= (bytes.length * 4) / 3 + 4 ? Q : B;
  return first < LEAST_FIRST_WORD
    ? ['', ...pack(text, encoding, MAX_ENCODED_WORD_OCTETS)]
    : pack(text, encoding, Math.min(first, MAX_ENCODED_WORD_OCTETS));
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

interface Encoding {
  letter: 'Q' | 'B';
  /** How much of `capacity` a character takes. */
  size(char: string): number;
  /** How much fits between the delimiters into so many octets. */
  capacity(octets: number): number;
  encode(text: string): string;
}

const Q: Encoding = {
  letter: 'Q',
  size: (char) => quoted(char).length,
  capacity: (octets) => octets,
  encode: (text) => Array.from(text, quoted).join(''),
};

// Base64 makes four octets of three, and a word may not end inside a group.
const B: Encoding = {
  letter: 'B',
  size: (char) => Buffer.byteLength(char),
  capacity: (octets) => Math.floor(octets / 4) * 3,
  encode: (text) => Buffer.from(text).toString('base64'),
};

function pack(text: string, encoding: Encoding, first: number): string[] {
  const words: string[] = [];
  let chunk = '';
  let left = encoding.capacity(first - DELIMITERS);
  const end = () => words.push(`=?UTF-8?${encoding.letter}?${encoding.encode(chunk)}?=`);
  for (const char of text) {
    const size = encoding.size(char);
    if (size > left) {
      end();
      chunk = '';
      left = encoding.capacity(MAX_ENCODED_WORD_OCTETS - DELIMITERS);
    }
    chunk += char;
    left -= size;
  }
  end();
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
