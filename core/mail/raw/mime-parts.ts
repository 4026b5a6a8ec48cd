// The parts of ready-made mail (RFC 2046 section 5.1), where they are and what they say they are. One pass over the body,
// whatever is nested in what: a line is compared with the boundaries that are open at it.

import { fieldsNamed, fieldValue, readPartHeader, type HeaderSection } from './header-section.ts';
import { readParameters, type Parameters } from './parameters.ts';

/** A part that is no multipart. Its body is `raw.subarray(section.bodyStart, end)`, still encoded. */
export interface MimePart {
  section: HeaderSection;
  end: number;
  type: Parameters;
  disposition: Parameters;
  /** Content-Transfer-Encoding, in lower case. */
  encoding: string;
  /** Within multipart/signed or multipart/encrypted, where every octet counts (RFC 1847). */
  sealed: boolean;
}

// Parts in each other; mail that was forwarded many times has about five.
const MAX_DEPTH = 10;

const MAX_PARTS = 1_000;

const DASH = 0x2d;
const LF = 0x0a;
const CR = 0x0d;

interface Open {
  boundary: Buffer;
  sealed: boolean;
}

/**
 * The parts of mail that is well-formed as far as readHeaderSection says. A multipart without a boundary, or too deep, is
 * one part; mail of too many parts has none. The headers of multiparts are added to `multiparts`.
 */
export function readParts(raw: Buffer, top: HeaderSection, multiparts: HeaderSection[] = []): MimePart[] {
  const parts: MimePart[] = [];
  const open: Open[] = [];
  let part = enter(raw, top, open);
  if (!part) multiparts.push(top);
  let at = top.bodyStart;
  for (let count = 0; ; count += 1) {
    const line = nextDelimiter(raw, at, open);
    if (part)
      parts.push({ ...part, end: Math.max(part.section.bodyStart, line ? line.start - 2 : raw.length) });
    if (!line) return parts;
    if (count === MAX_PARTS) return [];
    open.length = line.depth + (line.closes ? 0 : 1);
    part = null;
    at = line.end;
    if (line.closes) continue;
    const section = readPartHeader(raw, line.end) ?? { fields: [], bodyStart: line.end };
    part = enter(raw, section, open);
    if (!part) multiparts.push(section);
    at = section.bodyStart;
  }
}

// Opens a multipart, or begins a part.
function enter(raw: Buffer, section: HeaderSection, open: Open[]): MimePart | null {
  const valueOf = (name: string) => {
    const [field] = fieldsNamed(section, name);
    return field ? fieldValue(raw, field) : '';
  };
  const type = readParameters(valueOf('content-type') || 'text/plain');
  const boundary = type.parameters.get('boundary') ?? '';
  const sealed = open.at(-1)?.sealed === true;
  if (type.value.startsWith('multipart/') && boundary !== '' && open.length < MAX_DEPTH) {
    const seals = type.value === 'multipart/signed' || type.value === 'multipart/encrypted';
    open.push({ boundary: Buffer.from(boundary), sealed: sealed || seals });
    return null;
  }
  return {
    section,
    end: raw.length,
    type,
    disposition: readParameters(valueOf('content-disposition')),
    encoding: valueOf('content-transfer-encoding').toLowerCase() || '7bit',
    sealed,
  };
}

interface Delimiter {
  /** Of the line, with its CRLF. */
  start: number;
  end: number;
  depth: number;
  closes: boolean;
}

function nextDelimiter(raw: Buffer, from: number, open: readonly Open[]): Delimiter | null {
  if (open.length === 0) return null;
  for (let at = from; at < raw.length; at += 1) {
    if (raw[at] !== DASH || raw[at + 1] !== DASH || (at > from && raw[at - 1] !== LF)) continue;
    for (let depth = open.length - 1; depth >= 0; depth -= 1) {
      const found = readDelimiter(raw, at, open[depth]!.boundary);
      if (found) return { start: at, ...found, depth };
    }
  }
  return null;
}

// RFC 2046 section 5.1.1: after the boundary only blanks may come, or two hyphens and blanks.
function readDelimiter(
  raw: Buffer,
  start: number,
  boundary: Buffer,
): { end: number; closes: boolean } | null {
  let at = start + 2 + boundary.length;
  // Looked at first: of lines that begin as the boundary does, and go on, there may be megabytes.
  const after = raw[at];
  if (after !== CR && after !== DASH && after !== 0x20 && after !== 0x09 && at !== raw.length) return null;
  const few = Math.min(boundary.length, 32);
  for (let i = 0; i < few; i += 1) if (raw[start + 2 + i] !== boundary[i]) return null;
  if (raw.compare(boundary, few, boundary.length, start + 2 + few, Math.min(at, raw.length)) !== 0)
    return null;
  const closes = raw[at] === DASH && raw[at + 1] === DASH;
  if (closes) at += 2;
  while (raw[at] === 0x20 || raw[at] === 0x09) at += 1;
  if (at === raw.length) return { end: at, closes };
  return raw[at] === CR ? { end: at + 2, closes } : null;
}
