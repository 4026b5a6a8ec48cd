// Email addresses as customers write them: one addr-spec, or `Name <addr-spec>` (RFC 5321 section 4.1.2,
// RFC 5322 section 3.4, RFC 6531 for non-ASCII local parts).
// Guarantee: what is accepted has one reading. Comments, groups, routes, address literals and quoted local
// parts are legal but refused: real mailboxes do not need them, and parsers disagree about every one of them.

import { parseDomain } from './domain-name.ts';
import { decodeEncodedWords } from './compose/encoded-word.ts';
import { CONTROL, INVISIBLE, isAscii, REORDERING } from './unsafe-text.ts';

/**
 * One mailbox. `email` is `local@domain`; the domain is lower case ASCII, the local part as it was written
 * (NFC).
 */
export type Address = {
  local: string;
  domain: string;
  email: string;
  /** The display name, decoded; absent when none was given. */
  display?: string;
  /** True when the local part is not ASCII: only a next hop that offers SMTPUTF8 (RFC 6531) can take it. */
  smtputf8: boolean;
};

/** The address, or a reason fit for a customer. */
export type AddressResult = { ok: true; address: Address } | { ok: false; reason: string };

/** Octets, RFC 5321 section 4.5.3.1.1. */
const MAX_LOCAL_OCTETS = 64;

/**
 * Octets: a path is at most 256 with its angle brackets (RFC 5321 section 4.5.3.1.3, RFC 3696 erratum 1690).
 */
const MAX_ADDRESS_OCTETS = 254;

/** Characters of a display name; longer ones are cut by mail clients and only serve to hide the address. */
const MAX_DISPLAY_CHARS = 256;

// Both bound the work on hostile input before any pattern runs; the second leaves room for encoded words.
const MAX_ADDRESS_INPUT_CHARS = 320;
const MAX_MAILBOX_INPUT_CHARS = 1200;

// Full-width and small commercial at: NFKC, and so many parsers, turn them into @.
const AT_LOOKALIKE = /[\uff20\ufe6b]/;
const ATOM_CHARS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
// The look-ahead matters: \p{S} alone would let < and > in.
const UTF8_LOCAL_CHARS = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]|(?!\p{ASCII})[\p{L}\p{M}\p{N}\p{S}])+$/u;
// RFC 5322 specials other than the dot; a phrase with one of these must be quoted.
const PHRASE_SPECIALS = /[()<>[\]:;@\\,"]/;
const QUOTED_STRING = /^"((?:[^"\\]|\\[^\r\n])*)"$/;

/** Reads one bare address such as `ann@example.com`, nothing around it. Pure; linear in the input. */
export function parseAddress(text: string): AddressResult {
  const unsafe = unsafeAddressText(text);
  if (unsafe !== null) return refuse(unsafe);
  const at = text.indexOf('@');
  if (at < 0) return refuse('it has no @');
  if (text.indexOf('@', at + 1) >= 0) return refuse('it has more than one @');
  const local = text.slice(0, at).normalize('NFC');
  const badLocal = checkLocal(local);
  if (badLocal !== null) return refuse(badLocal);
  const domain = parseDomain(text.slice(at + 1));
  if (!domain.ok) return domain;
  const email = `${local}@${domain.domain}`;
  if (Buffer.byteLength(email) > MAX_ADDRESS_OCTETS) return refuse('it is longer than 254 octets');
  return { ok: true, address: { local, domain: domain.domain, email, smtputf8: !isAscii(local) } };
}

/** The same as people type and copy it, with spaces around. Tabs and line breaks there are refused like any in it. */
export function parseTypedAddress(text: string): AddressResult {
  return CONTROL.test(text) ? refuse('it has a control character') : parseAddress(text.trim());
}

/**
 * Reads `ann@example.com`, `<ann@example.com>` or `Ann <ann@example.com>`. The name may be a plain phrase, a
 * quoted string or RFC 2047 encoded words, in any script. Lists, groups, comments and trailing text are
 * refused.
 */
export function parseMailbox(text: string): AddressResult {
  if (text.length > MAX_MAILBOX_INPUT_CHARS) return refuse('it is too long');
  if (CONTROL.test(text)) return refuse('it has a control character');
  const trimmed = text.trim();
  if (!trimmed.endsWith('>')) {
    return trimmed.includes('<') ? refuse('it has text after the address') : parseAddress(trimmed);
  }
  // The address itself can hold no '<', so the last one opens it even when a quoted name holds others.
  const open = trimmed.lastIndexOf('<');
  if (open < 0) return refuse('it has > without <');
  const parsed = parseAddress(trimmed.slice(open + 1, -1));
  if (!parsed.ok) return parsed;
  const name = readDisplay(trimmed.slice(0, open).trim());
  if (!name.ok) return name;
  return name.display === '' ? parsed : { ok: true, address: { ...parsed.address, display: name.display } };
}

/**
 * The key under which suppressions and contacts compare: the whole address in lower case. RFC 5321 section
 * 2.4 lets a host distinguish `Ann@` from `ann@`; none of note does, and mail to a suppressed person in other
 * letters is worse. Text that is no address by our rules (a report may name anything) is only trimmed and
 * lower-cased.
 */
export function normalizeEmail(address: Address | string): string {
  if (typeof address !== 'string') return fold(address.email);
  const parsed = parseAddress(address.trim());
  return fold(parsed.ok ? parsed.address.email : address.trim());
}

function fold(text: string): string {
  return text.toLowerCase().normalize('NFC');
}

function unsafeAddressText(text: string): string | null {
  if (text === '') return 'it is empty';
  if (text.length > MAX_ADDRESS_INPUT_CHARS) return 'it is longer than 254 octets';
  if (CONTROL.test(text)) return 'it has a control character';
  if (/\s/.test(text)) return 'it has a space';
  if (isAscii(text)) return null;
  if (AT_LOOKALIKE.test(text)) return 'it has a character that looks like @';
  if (INVISIBLE.test(text)) return 'it has an invisible character';
  // Compatibility forms (full-width letters, ligatures, leader dots) read as other characters elsewhere.
  if (text.normalize('NFC') !== text.normalize('NFKC')) return 'it has a look-alike character';
  return null;
}

function checkLocal(local: string): string | null {
  if (local === '') return 'it has nothing before the @';
  if (local.startsWith('"')) return 'quoted local parts are not accepted';
  if (Buffer.byteLength(local) > MAX_LOCAL_OCTETS) return 'the part before the @ is longer than 64 octets';
  if (local.startsWith('.') || local.endsWith('.')) return 'the part before the @ starts or ends with a dot';
  if (local.includes('..')) return 'the part before the @ has two dots in a row';
  if (!ATOM_CHARS.test(local) && !UTF8_LOCAL_CHARS.test(local)) {
    return 'the part before the @ has a character that is not allowed there';
  }
  return null;
}

type DisplayResult = { ok: true; display: string } | { ok: false; reason: string };

function readDisplay(phrase: string): DisplayResult {
  const quoted = QUOTED_STRING.exec(phrase);
  let display: string | null = quoted ? (quoted[1] ?? '').replace(/\\(.)/gsu, '$1') : phrase;
  if (!quoted) {
    if (PHRASE_SPECIALS.test(phrase)) return refuse('the name has special characters and must be quoted');
    display = decodeEncodedWords(phrase);
    if (display === null) return refuse('the name has an encoded word that cannot be read');
  }
  if (CONTROL.test(display) || REORDERING.test(display) || !display.isWellFormed()) {
    return refuse('the name has a control character');
  }
  if (display.length > MAX_DISPLAY_CHARS) return refuse('the name is longer than 256 characters');
  return { ok: true, display: display.trim() };
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
