// Ready-made mail with its HTML changed, as tracking does. All octets but those of the changed parts stay as they are.

import { encodeOctets } from '../compose/transfer-encoding.ts';
import { fieldsNamed, type HeaderSection } from './header-section.ts';
import { readParts, type MimePart } from './mime-parts.ts';
import { changeableText, filenameOf } from './part-text.ts';

/** Octets of HTML that are changed, of all parts: as much as a message may have that we compose. */
const MAX_HTML_BYTES = 5 * 1024 * 1024;

/** Parts that are changed: of each as many links as of a message that we compose are followed, at 8 µs a link. */
const MAX_HTML_PARTS = 10;

/**
 * The mail with each part of HTML that is to be read passed through `change`; `isFirst` for the first. Left as they are:
 * files, what is signed or encrypted (RFC 1847), and text that would not come back from its charset octet for octet.
 */
export function rewriteHtml(
  raw: Buffer,
  top: HeaderSection,
  change: (html: string, isFirst: boolean) => string,
): Buffer {
  const pieces: Buffer[] = [];
  let kept = 0;
  const replace = (start: number, end: number, by: string) => {
    pieces.push(raw.subarray(kept, start), Buffer.from(by, 'latin1'));
    kept = end;
  };
  let octets = 0;
  let count = 0;
  for (const part of readParts(raw, top)) {
    if (!isHtml(part)) continue;
    octets += part.end - part.section.bodyStart;
    count += 1;
    const isWithin = octets <= MAX_HTML_BYTES && count <= MAX_HTML_PARTS;
    const html = isWithin ? changeableText(raw, part) : null;
    if (html === null) continue;
    const changed = change(html.text, pieces.length === 0);
    if (changed === html.text) continue;
    const { encoding, content } = encodeOctets(html.toOctets(changed));
    const { section, end } = part;
    for (const field of fieldsNamed(section, 'content-transfer-encoding'))
      replace(field.start, field.end, '');
    replace(section.bodyStart - 2, end, `Content-Transfer-Encoding: ${encoding}\r\n\r\n${content}`);
  }
  return kept === 0 ? raw : Buffer.concat([...pieces, raw.subarray(kept)]);
}

function isHtml(part: MimePart): boolean {
  const { sealed, type, section, end } = part;
  const isEmpty = end === section.bodyStart;
  return !sealed && !isEmpty && type.value === 'text/html' && filenameOf(part) === undefined;
}
