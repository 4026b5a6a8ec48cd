// Ready-made mail of 8 bits for a server without 8BITMIME (RFC 6152 section 3): its parts are encoded as quoted-printable or
// base64, and say the same. Linear in its size, for each level of messages within messages.

import { isAscii, isUtf8 } from 'node:buffer';

import type { ComposedMessage } from '../compose/message-content.ts';
import { encodeOctets } from '../compose/transfer-encoding.ts';
import { fieldsNamed, readHeaderSection, type HeaderSection } from './header-section.ts';
import { readParts, type MimePart } from './mime-parts.ts';
import { partOctets } from './part-text.ts';

/** Messages in each other; one that was forwarded a few times has about three. */
const MAX_NESTED = 5;

/** Fields of ours that are in the header beside the author's. */
const ADDED = 16;

/**
 * The message with a body of 7 bits; null where that cannot be without harm: what is signed or encrypted (RFC 1847 section
 * 2.1), and octets above ASCII in the header of a part or between parts. Signatures over the body do not fit it.
 */
export function toSevenBit(message: ComposedMessage): ComposedMessage | null {
  const headers = Buffer.from(message.headers);
  const whole = Buffer.concat([headers, CRLF, message.body]);
  const made = encodeMessage(whole, 0);
  if (made === null) return null;
  const end = made.indexOf('\r\n\r\n') + 2;
  const body = made.subarray(end + 2);
  return isAscii(body) ? { ...message, headers: made.subarray(0, end), body } : null;
}

const CRLF = Buffer.from('\r\n');

function encodeMessage(raw: Buffer, depth: number): Buffer | null {
  const read = readHeaderSection(raw, ADDED);
  if (!read.ok || depth > MAX_NESTED) return null;
  const { section: top } = read;
  const multiparts: HeaderSection[] = [];
  const parts = readParts(raw, top, multiparts);
  const changes: Change[] = [];
  // A multipart is as wide as its parts (RFC 2045 section 6.4).
  for (const section of multiparts) changes.push(...withoutEncoding(section));
  for (const part of parts) {
    if (isAscii(raw.subarray(part.section.bodyStart, part.end))) continue;
    const content = part.sealed ? null : encodePart(raw, part, depth);
    if (content === null) return null;
    const { section, end } = part;
    const isTop = section === top;
    const fields = isTop ? missingFields(raw, part) : '';
    changes.push(...withoutEncoding(section));
    changes.push({
      start: section.bodyStart - 2,
      end,
      by: [Buffer.from(`${fields}Content-Transfer-Encoding: ${content.encoding}\r\n\r\n`), content.body],
    });
  }
  return apply(raw, changes);
}

interface Change {
  start: number;
  end: number;
  by: Buffer[];
}

function withoutEncoding(section: HeaderSection): Change[] {
  return fieldsNamed(section, 'content-transfer-encoding').map(({ start, end }) => ({ start, end, by: [] }));
}

// A message may have no encoding but that of its parts (RFC 2046 section 5.2.1).
function encodePart(raw: Buffer, part: MimePart, depth: number): { encoding: string; body: Buffer } | null {
  if (part.type.value.startsWith('message/')) {
    if (part.type.value !== 'message/rfc822') return null;
    const body = encodeMessage(raw.subarray(part.section.bodyStart, part.end), depth + 1);
    return body && { encoding: '7bit', body };
  }
  const { encoding, content } = encodeOctets(partOctets(raw, part));
  return { encoding, body: Buffer.from(content, 'latin1') };
}

// What makes an encoding one (RFC 2045 section 4), and what the octets are as far as that can be told (RFC 1428 section 3).
function missingFields(raw: Buffer, { section, end }: MimePart): string {
  const has = (name: string) => fieldsNamed(section, name).length > 0;
  const charset = isUtf8(raw.subarray(section.bodyStart, end)) ? 'utf-8' : 'unknown-8bit';
  return (
    (has('mime-version') ? '' : 'MIME-Version: 1.0\r\n') +
    (has('content-type') ? '' : `Content-Type: text/plain; charset=${charset}\r\n`)
  );
}

function apply(raw: Buffer, changes: Change[]): Buffer {
  const pieces: Buffer[] = [];
  let kept = 0;
  for (const { start, end, by } of changes.toSorted((a, b) => a.start - b.start)) {
    pieces.push(raw.subarray(kept, start), ...by);
    kept = end;
  }
  return Buffer.concat([...pieces, raw.subarray(kept)]);
}
