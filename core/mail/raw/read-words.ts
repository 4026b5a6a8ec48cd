// What ready-made mail says to its reader, and the files in it.

import { toOneLine } from '../unsafe-text.ts';
import { describeAttachment } from '../compose/attachments.ts';
import type { HeaderSection } from './header-section.ts';
import { readParts } from './mime-parts.ts';
import { filenameOf, partOctets, partText } from './part-text.ts';

/** A message in its parts; texts are empty where there are none. */
export interface RawWords {
  html: string;
  text: string;
  attachments: { filename: string; contentType: string; sizeBytes: number }[];
}

/** Octets of text that are read: as much as a message may have that we compose. What is larger is shown as a file. */
const MAX_TEXT_OCTETS = 5 * 1024 * 1024;

/** Reads all parts, those that are signed too. Never throws. */
export function readWords(raw: Buffer, top: HeaderSection): RawWords {
  const html: string[] = [];
  const text: string[] = [];
  const attachments: RawWords['attachments'] = [];
  let octets = 0;
  for (const part of readParts(raw, top)) {
    const filename = filenameOf(part);
    const type = part.type.value;
    const texts = type === 'text/html' ? html : type === 'text/plain' ? text : undefined;
    const size = part.end - part.section.bodyStart;
    if (texts && filename === undefined && octets + size <= MAX_TEXT_OCTETS) {
      octets += size;
      texts.push(partText(raw, part));
    } else {
      const named = describeAttachment(toOneLine(filename ?? ''), type);
      attachments.push({ ...named, sizeBytes: partOctets(raw, part).length });
    }
  }
  return { html: html.join('\r\n'), text: text.join('\r\n'), attachments };
}
