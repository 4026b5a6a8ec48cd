// What a message says to whoever gets it: of what the load asked for, and of what came over the wire. Both sides make the same
// hash of it, so that the journal stays small.

import { createHash } from 'node:crypto';

import { canonical } from './spelling.ts';

/** What somebody reads, and to whom it is addressed. */
export interface Content {
  /** Address of the header From, and those of To. */
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string | null;
  /** Name, type and bytes, as hex of their SHA-256. */
  attachments: { filename: string; type: string; sha256: string }[];
  /** The header X-Letter; null without one. */
  mark: string | null;
}

/** Header that the load marks its mail with. */
export const MARK = 'X-Letter';

const PIXEL = /<img src="[^"]*" width="1" height="1"[^>]*>/; // of tracked opens

/** SHA-256 (hex). How lines end, blanks at the end, how addresses are written and the pixel of tracked opens make no difference. */
export function hashContent({ from, to, subject, text, html, attachments, mark }: Content): string {
  const parts = [
    ...[canonical(from), to.map(canonical).toSorted(), subject, trimmed(text)],
    ...[html === null ? null : trimmed(html.replace(PIXEL, '')), attachments, mark],
  ];
  return sha256(JSON.stringify(parts));
}

/** Hex. */
export function sha256(of: string | Buffer): string {
  return createHash('sha256').update(of).digest('hex');
}

function trimmed(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}
