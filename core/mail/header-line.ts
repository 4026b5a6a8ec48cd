// Writes header fields: encoded, folded, and always whole lines ending in CRLF (RFC 5322 sections 2.2.3 and
// 3.4).
// Guarantee: whatever text comes in, one field comes out; no line passes 998 octets.

import { encodeWords } from './compose/encoded-word.ts';
import { MAX_LINE_OCTETS } from './header.ts';
import { toOneLine } from './unsafe-text.ts';

/** A mailbox to be written into From, To or Reply-To; `address` has passed parseAddress. */
export type Mailbox = { name?: string; address: string };

// Characters on a line before it is folded: RFC 5322 section 2.1.1 asks for 78, RFC 2047 section 2 for 76.
const FOLD_AT = 76;
// A longer run without a fold point is written as encoded words instead, far from the limit of 998.
const MAX_RUN = 400;
const PRINTABLE = /^[\x20-\x7e]*$/;
const ATOMS = /^[A-Za-z0-9_]+(?: [A-Za-z0-9_]+)*$/;

/**
 * One unstructured field (Subject, X-Anything). Controls become spaces; an empty value gives no field at all.
 */
export function headerLine(name: string, value: string): string {
  const text = toOneLine(value);
  if (text === '') return '';
  // Text that holds =? would be decoded by the reader, so it is encoded even when it is plain.
  const plain = PRINTABLE.test(text) && !text.includes('=?') && !isUnfoldable(text);
  return plain ? foldLine(`${name}: ${text}`) : `${encoded(`${name}:`, text)}\r\n`;
}

/** One field of identifiers or URIs: as it is, folded at spaces; text above ASCII in it as headerLine has it. */
export function protocolLine(name: string, value: string): string {
  const text = toOneLine(value).replace(/ +/g, ' ');
  const fits = text.split(' ').every((word) => word.length <= MAX_LINE_OCTETS - `${name}: `.length);
  return PRINTABLE.test(text) && fits && text !== '' ? foldLine(`${name}: ${text}`) : headerLine(name, value);
}

/**
 * One field holding one mailbox or several, each beginning a line. Addresses are written as they are: only parsed ones
 * may come here.
 */
export function mailboxLine(name: string, ...mailboxes: readonly Mailbox[]): string {
  return `${mailboxes.map((mailbox, i) => mailboxText(i === 0 ? `${name}:` : '', mailbox)).join(',\r\n')}\r\n`;
}

function mailboxText(start: string, { address, name }: Mailbox): string {
  if (/[\s<>\p{Cc}]/u.test(address)) throw new RangeError(`${start} has an address that was not parsed`);
  const display = toOneLine(name ?? '');
  if (display === '') return `${start} ${address}`;
  const plain = PRINTABLE.test(display) && !display.includes('=?') && display.length <= 200;
  if (!plain) return `${encoded(start, display)}\r\n <${address}>`;
  const phrase = ATOMS.test(display) ? display : `"${display.replace(/["\\]/g, '\\$&')}"`;
  return foldLine(`${start} ${phrase} <${address}>`).slice(0, -2);
}

/**
 * One field whose value is protocol text of ours (ids, dates, MIME parameters): written as it is, folded at
 * spaces.
 */
export function rawLine(name: string, value: string): string {
  if (!PRINTABLE.test(value) || isUnfoldable(value))
    throw new RangeError(`${name} has a value that cannot be written`);
  return foldLine(`${name}: ${value}`);
}

// Not a regular expression: /[^ ]{400}/ begins anew at each character, which was 4.8 % of a busy sender.
function isUnfoldable(text: string): boolean {
  if (text.length < MAX_RUN) return false;
  return text.split(' ').some((word) => word.length >= MAX_RUN) || text.includes(' '.repeat(MAX_RUN));
}

// A line that holds an encoded word has at most 76 characters (RFC 2047 section 2), the field's name among them.
function encoded(start: string, text: string): string {
  const [first, ...others] = encodeWords(text, FOLD_AT - `${start} `.length);
  return [`${start} ${first}`.trimEnd(), ...others].join('\r\n ');
}

/** Cuts `Name: value` at spaces into lines of 76 characters where it can, and ends it with CRLF. */
export function foldLine(line: string): string {
  if (line.length <= FOLD_AT) return `${line}\r\n`;
  const first = line.indexOf(': ') + 2;
  let out = '';
  let start = 0;
  while (line.length - start > FOLD_AT) {
    const cut = foldPoint(line, start, Math.max(first, start + 1));
    if (cut < 0) break;
    out += `${line.slice(start, cut)}\r\n`;
    start = cut;
  }
  return `${out}${line.slice(start)}\r\n`;
}

// The start of a run of spaces: the run then opens the next line whole, so no line is only white space.
function foldPoint(line: string, start: number, from: number): number {
  for (let at = line.lastIndexOf(' ', start + FOLD_AT); at >= from; at = line.lastIndexOf(' ', at - 1)) {
    if (line[at - 1] !== ' ') return at;
  }
  for (let at = line.indexOf(' ', Math.max(from, start + FOLD_AT)); at >= 0; at = line.indexOf(' ', at + 1)) {
    if (line[at - 1] !== ' ') return at;
  }
  return -1;
}
