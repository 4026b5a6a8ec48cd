// What ready-made mail says to its reader, and the files in it.

import { toOneLine } from '../unsafe-text.ts';
import { describeAttachment } from '../compose/attachments.ts';
import type { HeaderSection } from './header-section.ts';
import { readParts, type MimePart } from './mime-parts.ts';
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
  const { html, text, files } = sortParts(raw, top);
  return {
    html: html.map((part) => partText(raw, part)).join('\r\n'),
    text: text.map((part) => partText(raw, part)).join('\r\n'),
    attachments: files.map((part) => ({ ...describe(part), sizeBytes: partOctets(raw, part).length })),
  };
}

/** The file at a place in that list, with its octets; null where there is none. Never throws. */
export function readFile(
  raw: Buffer,
  top: HeaderSection,
  index: number,
): { filename: string; contentType: string; content: Buffer } | null {
  const part = sortParts(raw, top).files[index];
  return part === undefined ? null : { ...describe(part), content: partOctets(raw, part) };
}

function sortParts(raw: Buffer, top: HeaderSection) {
  const sorted = { html: [] as MimePart[], text: [] as MimePart[], files: [] as MimePart[] };
  let octets = 0;
  for (const part of readParts(raw, top)) {
    const type = part.type.value;
    const texts = type === 'text/html' ? sorted.html : type === 'text/plain' ? sorted.text : undefined;
    const size = part.end - part.section.bodyStart;
    if (texts && filenameOf(part) === undefined && octets + size <= MAX_TEXT_OCTETS) {
      octets += size;
      texts.push(part);
    } else sorted.files.push(part);
  }
  return sorted;
}

function describe(part: MimePart) {
  return describeAttachment(toOneLine(filenameOf(part) ?? ''), part.type.value);
}
