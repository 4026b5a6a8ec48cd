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

/** Reads all parts, those that are signed too. Never throws. */
export function readWords(raw: Buffer, top: HeaderSection): RawWords {
  const html: string[] = [];
  const text: string[] = [];
  const attachments: RawWords['attachments'] = [];
  for (const part of readParts(raw, top)) {
    const filename = filenameOf(part);
    const type = part.type.value;
    if (filename === undefined && type === 'text/html') html.push(partText(raw, part));
    else if (filename === undefined && type === 'text/plain') text.push(partText(raw, part));
    else {
      const named = describeAttachment(toOneLine(filename ?? ''), type);
      attachments.push({ ...named, sizeBytes: partOctets(raw, part).length });
    }
  }
  return { html: html.join('\r\n'), text: text.join('\r\n'), attachments };
}
