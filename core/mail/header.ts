// Header fields given by customers: which names and values we carry (RFC 5322 section 2.2).
// Guarantee: what passes here cannot end its line, start another header, or grow past what servers accept.

import { parseMailbox } from './address.ts';
import { whyReserved } from './header-fields.ts';
import { CONTROL, REORDERING, SAFE_FILLED_LINE_PATTERN } from './unsafe-text.ts';

/** A header field as a customer gives it: unfolded, unencoded. */
export type Header = { name: string; value: string };

/** Accepted, or a reason fit for a customer. */
export type HeaderCheck = { ok: true } | { ok: false; reason: string };

/** Octets of a line without its CRLF, RFC 5322 section 2.1.1. A field has as many lines as it needs (section 2.2.3). */
export const MAX_LINE_OCTETS = 998;

/**
 * Octets of a name: with its colon it fits the 78 a line should have (RFC 5322 section 2.1.1), so it never
 * folds.
 */
const MAX_HEADER_NAME_OCTETS = 76;

/** Fields per message. Postfix and Exchange keep far more; a few dozen is the most a sender has a use for. */
export const MAX_CUSTOM_HEADERS = 50;

/**
 * Octets of all names and values together. Postfix drops header text after 100 KiB, qmail-like hosts after
 * less.
 */
export const MAX_CUSTOM_HEADER_OCTETS = 16 * 1024;

// RFC 5322 allows any printable but the colon; beyond letters, digits, hyphen and underscore, filters see an
// attack.
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * Whether a customer may set this header to this value. Non-ASCII values pass: they are encoded on the way
 * out.
 */
export function checkHeader(name: string, value: string): HeaderCheck {
  if (!NAME.test(name))
    return refuse('header name has characters other than letters, digits, hyphen and underscore');
  if (name.length > MAX_HEADER_NAME_OCTETS) return refuse('header name is longer than 76 octets');
  const reserved = whyReserved(name);
  if (reserved !== null) return refuse(`header ${name} cannot be set: ${reserved}`);
  if (value.trim() === '') return refuse(`header ${name} is empty`);
  if (CONTROL.test(value)) return refuse(`header ${name} has a control character`);
  if (REORDERING.test(value) || !value.isWellFormed())
    return refuse(`header ${name} has a character that is not allowed`);
  const room = MAX_LINE_OCTETS - `${name}: `.length;
  if (isProtocolField(name) && value.length > room && value.split(' ').some((word) => word.length > room))
    return refuse(`header ${name} has a word that is longer than a line of 998 octets`);
  if (isSenderField(name) && !parseMailbox(value).ok) return refuse(`header ${name} must be one address`);
  return { ok: true };
}

/** Whether a field names who submitted the message for its author (RFC 5322 section 3.6.2). */
export function isSenderField(name: string): boolean {
  return name.toLowerCase() === 'sender';
}

/**
 * Whether a field holds identifiers or URIs (RFC 5322 section 3.6.4, RFC 2369, RFC 2919), which are read as they stand: they
 * are folded at blanks, and not made into encoded words while they are ASCII.
 */
export function isProtocolField(name: string): boolean {
  return /^(?:references|in-reply-to|list-[a-z-]+)$/i.test(name);
}

/**
 * checkHeader for all custom headers of one message, with their count, their total size and no name twice.
 */
export function checkHeaders(headers: readonly Header[]): HeaderCheck {
  if (headers.length > MAX_CUSTOM_HEADERS) return refuse(`more than ${MAX_CUSTOM_HEADERS} headers`);
  const seen = new Set<string>();
  let octets = 0;
  for (const { name, value } of headers) {
    const check = checkHeader(name, value);
    if (!check.ok) return check;
    if (seen.has(name.toLowerCase())) return refuse(`header ${name} is given twice`);
    seen.add(name.toLowerCase());
    octets += name.length + Buffer.byteLength(value);
  }
  return octets > MAX_CUSTOM_HEADER_OCTETS ? refuse('headers are larger than 16 KiB together') : { ok: true };
}

/** What the OpenAPI document says of a field: what checkHeader does, but for reserved names, long words of
 * protocol fields and lengths of all together. */
export const HEADER_FORM = {
  name: { type: 'string', pattern: NAME.source, maxLength: MAX_HEADER_NAME_OCTETS },
  value: { type: 'string', pattern: SAFE_FILLED_LINE_PATTERN, maxLength: 4_000 },
} as const;

function refuse(reason: string): HeaderCheck {
  return { ok: false, reason };
}
