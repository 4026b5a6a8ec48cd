// JSON bodies, read so that they have one meaning and bounded cost.
// Guarantees: nesting is checked before anything is built, so that a body of brackets costs a scan and no stack or
// memory; an object that names a field twice is refused, because parsers disagree about which one counts (RFC 8259
// section 4).

import { isUtf8 } from 'node:buffer';

/** Levels of objects and lists. The deepest honest body, template variables, has 16 levels inside three. */
const MAX_JSON_DEPTH = 32;

/** Names in one object. Variables of a template have most, at most so many; a million unknown ones took 4 s to list. */
const MAX_NAMES = 10_000;

/** The value, or a sentence for the client. */
export type ParsedJson = { ok: true; value: unknown } | { ok: false; message: string };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** Parses a body. */
export function parseJson(bytes: Buffer): ParsedJson {
  if (bytes.length === 0) return refuse('The body is empty; it must be JSON.');
  if (!isUtf8(bytes)) return refuse('The body is not valid UTF-8.');
  const problem = scan(bytes);
  if (problem !== null) return refuse(problem);
  try {
    return { ok: true, value: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch {
    return refuse('The body is not valid JSON.');
  }
}

// Looks only at brackets, commas and strings; whatever else is wrong JSON.parse finds.
function scan(bytes: Buffer): string | null {
  const open: (Set<string> | null)[] = []; // names seen per object, null for a list
  let nameNext = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (end < 0) return null; // never closed
      const names = open.at(-1);
      if (nameNext && names) {
        const name = nameOf(bytes, at, end);
        if (names.has(name))
          return `The body names ${JSON.stringify(name.slice(0, 100))} twice in one object.`;
        if (names.add(name).size > MAX_NAMES)
          return `The body has an object of more than ${MAX_NAMES} names.`;
      }
      nameNext = false;
      at = end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (open.length === MAX_JSON_DEPTH) return `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`;
      nameNext = byte === OPEN_OBJECT;
      open.push(nameNext ? new Set() : null);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      open.pop();
      nameNext = false;
    } else if (byte === COMMA) {
      nameNext = open.at(-1) instanceof Set;
    }
  }
  return null;
}

// Jumps from quote to quote, natively: a string of megabytes costs next to nothing.
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

function nameOf(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('utf8', start + 1, end);
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string; // "\u0061" and "a" are the same name
  } catch {
    return raw;
  }
}

function refuse(message: string): ParsedJson {
  return { ok: false, message };
}
