// Character sets of mail (RFC 2045, RFC 2047), whose names are often missing, unknown or wrong.
// Guarantee: never throws, and octets that a name does not explain are shown as Windows-1252 rather than lost.

import { isAscii } from 'node:buffer';

import iconv from 'iconv-lite';

// Names that say little: mail so labelled is UTF-8, or Latin-1 of a program that did not care.
const UNSURE = /^(?:|us-?ascii|ascii|utf-?8|7bit|8bit|default|unknown(?:-8bit)?|x-unknown)$/;
const LATIN1 = /^(?:iso[-_]?8859[-_]1|latin-?1)$/;

/** The text of octets in a charset as mail names it. */
export function decodeText(octets: Buffer, charset: string): string {
  const label = charset.replaceAll(/['"]/g, '').trim().toLowerCase();
  if (isJapanese(octets, label)) return new TextDecoder('iso-2022-jp').decode(octets);
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

// The escapes of ISO-2022-JP (RFC 1468) say what follows, whatever the label; text in it has 7 bits.
function isJapanese(octets: Buffer, label: string): boolean {
  if (!octets.includes(ESCAPE) || !isAscii(octets) || /^iso-?2022/.test(label)) return false;
  return octets.includes('\x1b$B', 0, 'latin1') || octets.includes('\x1b$@', 0, 'latin1');
}

const ESCAPE = 0x1b;

/**
 * The text of octets whose charset nobody names, or names wrongly: UTF-8 where more octets speak for it than against, else what
 * an HTML says of itself, else Windows-1252.
 */
export function decodeUnsure(octets: Buffer): string {
  const text = iconv.decode(octets, 'utf-8');
  if (!text.includes('\ufffd') || isDamagedUtf8(text)) return text;
  const own = META_CHARSET.exec(octets.toString('latin1', 0, META_OCTETS))?.[1]?.toLowerCase() ?? '';
  const isOwn = !UNSURE.test(own) && !/^utf-?16/.test(own) && iconv.encodingExists(own);
  return iconv.decode(octets, isOwn && !LATIN1.test(own) ? own : 'windows-1252');
}

// HTML 4.2.5.4: within the first 1024 octets.
const META_OCTETS = 1024;
const META_CHARSET = /<meta\s[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i;

// In other charsets a pair of octets is valid UTF-8 by chance: `É»` in Windows-1252. So they are counted, and a longer sequence
// counts more. Text cut inside its last character still counts as UTF-8.
function isDamagedUtf8(text: string): boolean {
  let good = 0;
  let bad = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) bad += 1;
    else if (code > 0x7f) good += code > 0x7ff ? 2 : 1;
  }
  const isCut = bad === 1 && text.endsWith('\ufffd');
  return good > bad || (isCut && good > 0);
}

/** Whether decodeText only guesses at this charset: mailparser would lose what is not UTF-8. */
export function isUnsure(charset: string): boolean {
  const label = charset.trim().toLowerCase();
  return UNSURE.test(label) || !(iconv.encodingExists(label) || /^iso-?2022-?jp/.test(label));
}
