// Character sets of mail (RFC 2045, RFC 2047), whose names are often missing, unknown or wrong.
// Guarantee: never throws, and octets that a name does not explain are shown as Windows-1252 rather than lost.

import iconv from 'iconv-lite';

// Names that say little: mail so labelled is UTF-8, or Latin-1 of a program that did not care.
const UNSURE = /^(?:|us-?ascii|ascii|utf-?8|7bit|8bit|default|unknown(?:-8bit)?|x-unknown)$/;
const LATIN1 = /^(?:iso[-_]?8859[-_]1|latin-?1)$/;

/** The text of octets in a charset as mail names it. */
export function decodeText(octets: Buffer, charset: string): string {
  const label = charset.replaceAll(/['"]/g, '').trim().toLowerCase();
  if (UNSURE.test(label)) return decodeUnsure(octets);
  // Octets 0x80 to 0x9f are controls in Latin-1, which nobody sends, and quotation marks in its superset.
  if (LATIN1.test(label)) return iconv.decode(octets, 'windows-1252');
  if (iconv.encodingExists(label)) return iconv.decode(octets, label);
  try {
    return new TextDecoder(label).decode(octets); // ISO-2022-JP, and aliases that browsers know
  } catch {
    return decodeUnsure(octets);
  }
}

/** The text of octets whose charset nobody names. */
export function decodeUnsure(octets: Buffer): string {
  const text = iconv.decode(octets, 'utf-8');
  // One character above ASCII that is right makes it UTF-8, though cut or damaged; Latin-1 has none by chance.
  return text.includes('\ufffd') && !/[^\x00-\x7f\ufffd]/.test(text)
    ? iconv.decode(octets, 'windows-1252')
    : text;
}

/** Whether decodeText only guesses at this charset: mailparser would lose what is not UTF-8. */
export function isUnsure(charset: string): boolean {
  const label = charset.trim().toLowerCase();
  return UNSURE.test(label) || !(iconv.encodingExists(label) || /^iso-?2022-?jp/.test(label));
}
