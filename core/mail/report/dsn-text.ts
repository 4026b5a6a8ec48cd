// Bounces in plain words: qmail, Exim, Postfix, sendmail, Exchange and whoever writes like them. What they share is
// read here: a line that names a recipient, the words below it, and a point from which on the returned mail is quoted.

import { trimEnd } from '../../base/trim-end.ts';
import { headerOf, walkParts, type ReportPart } from './dsn-mime.ts';

/** What a report says about one recipient, in its own words. `address` may be empty when none is named. */
export interface TextRecipient {
  address: string;
  words: string;
}

const MAX_TEXT_CHARS = 64 * 1024;
const MAX_LINES = 2000;
const MAX_RECIPIENTS = 100;
const MAX_WORDS_CHARS = 4000;
const MAX_MARK_CHARS = 200; // of a line that may be a quote mark; with 64 kB of blanks one pattern took 18 s

// Lines after which the returned message is quoted. Anchored at the start of a line, and few enough to be read.
const QUOTE_MARKS: readonly RegExp[] = [
  /^-{2,}\s*(?:below this line|this is a copy|original message|returned (?:message|mail)|unsent message|the (?:header|body|original))/i,
  /^-{2,}\s*(?:forwarded|undelivered|rejected|the message|message header|enclosed is|here is)/i,
  /^\s*-{3,}\s*(?:unsent message follows|message header follows|original message|returned mail follows|message text follows)/i,
  /^(?:original message (?:follows|headers?)|the (?:original|returned) message (?:follows|is)|message (?:headers? )?follows?)\b/i,
  /^\s*(?:original headers|headers? of the original message|the header of the original message)\s*(?::\s*)?$/i,
  /^-{5,}\s*(?:start of|begin)\b/i,
  /^(?:return-path|received):\s*(?:<|from |by |\()/i,
];

const ADDRESS = String.raw`[^\s<>()[\]:;,"'|]{1,100}@[^\s<>()[\]:;,"'|]{1,253}`;

// Lines that name a recipient; group 1 is the address, group 2 what the line says behind it.
const RECIPIENT_LINES: readonly RegExp[] = [
  new RegExp(String.raw`^\s{0,8}"(${ADDRESS})"\s*[:;]\s*([^]*)$`),
  new RegExp(String.raw`^\s{0,8}[*>-]?\s{0,8}<(${ADDRESS})>\s*(?:[:;]\s*)?([^]*)$`),
  new RegExp(String.raw`^\s{0,8}[*-]?\s{0,8}(${ADDRESS})\s*(?:[:;]\s*)?$`),
  new RegExp(String.raw`^\s{0,8}(${ADDRESS})\s*[:;]\s+(\S[^]*)$`),
  new RegExp(String.raw`^\s{0,8}(${ADDRESS})(?:\s*,| on [A-Z0-9]| \[|\s+\()([^]*)$`),
  new RegExp(
    String.raw`^(${ADDRESS})\s+((?:invalid|unknown|rejected|refused|error|user|mailbox|host|no such)\b[^]*)$`,
    'i',
  ),
  new RegExp(
    String.raw`^\s*(?:final |failed |original )?recipient(?: address)?\s*:\s*[<[]?(?:rfc822;\s*|smtp:\s*)?(${ADDRESS})[>\]]?([^]*)$`,
    'i',
  ),
  new RegExp(
    String.raw`^\s*(?:(?:could not be delivered to|unable to deliver (?:message )?to|delivery (?:has )?failed (?:for|to)|undeliverable to)\s*(?::\s*)?|(?:user|rcpt to|to)\s*:\s*)<(${ADDRESS})>([^]*)$`,
    'i',
  ),
  new RegExp(String.raw`^\s*rcpt to:\s*<?(${ADDRESS})>?([^]*)$`, 'i'),
  new RegExp(String.raw`^\d{3}[ -](?:\d\.\d{1,3}\.\d{1,3} )?<(${ADDRESS})>\.\.\.\s*([^]*)$`),
  new RegExp(
    String.raw`^\s*(?:invalid final delivery userid|(?:unknown|invalid|no such) (?:user|recipient|mailbox|account|address)|user unknown)\s*(?::\s*)?<?(${ADDRESS})>?([^]*)$`,
    'i',
  ),
];

/** The recipients that a report names in its text, with the words about each, and what it says before the first. */
export function readTextRecipients(root: ReportPart): { recipients: TextRecipient[]; before: string } {
  const lines = reportText(root).split('\n').slice(0, MAX_LINES);
  const found: { address: string; lines: string[] }[] = [];
  const before: string[] = [];
  let since: string[] = []; // the last line that names a recipient
  let indent = Infinity; // of the line that named the recipient of this paragraph
  for (const line of lines) {
    const named = recipientOf(line);
    // A line that is indented more than the one that it continues was wrapped, and names nobody new.
    const isWrapped = indentOf(line) > indent;
    if (line.trim() === '') indent = Infinity;
    else if (named && !isWrapped) indent = indentOf(line);
    const again = named ? null : transcriptOf(line, found);
    const current = found.at(-1);
    if (named && isWrapped && current)
      current.lines.push(named.address === current.address ? named.rest : line);
    else if (named) found.push({ address: named.address, lines: [...carried(line, since), named.rest] });
    else if (again) found.push({ address: again, lines: [line] });
    else (current?.lines ?? before).push(line);
    since = named || again ? [] : [...since.slice(-20), line];
  }
  const words = toWords(before);
  if (found.length > 0) return { recipients: merge(found).slice(0, MAX_RECIPIENTS), before: words };
  const failed = failedHeader(root);
  const addresses = failed.length > 0 ? failed : [''];
  return { recipients: addresses.map((address) => ({ address, words })), before: '' };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

const TRANSCRIPT = new RegExp(
  String.raw`^\s{0,8}(?:>>> |<<< |[45]\d\d[ -]|-->|<--|sent <<<).{0,200}?<?(${ADDRESS})>?`,
  'i',
);

// A line of a transcript is about the recipient whose address stands on it; the sender's and others' are none.
function transcriptOf(line: string, found: { address: string }[]): string | null {
  const address = TRANSCRIPT.exec(line.slice(0, 600))?.[1]?.toLowerCase();
  return address !== undefined && found.some((one) => one.address === address) ? address : null;
}

// Fields of RFC 3464 that appear in the text for people: their names and `rfc822;` say nothing about the recipient.
const STATUS_FIELD = /^(?:[a-z]{1,12}-){1,3}(?:recipient|mta|date|id|name): /i;

/** The report's own text, without the mail that it returns. */
export function reportText(root: ReportPart): string {
  const texts: string[] = [];
  for (const part of reportParts(root)) texts.push(part.text);
  const text = texts.join('\n').slice(0, MAX_TEXT_CHARS);
  const lines = text
    .split('\n')
    .filter((line) => !STATUS_FIELD.test(line))
    .map((line) => line.replace(/^> ?(?!>)/, '')); // a bounce that somebody forwarded
  const quote = lines.findIndex((line, index) => index > 0 && isQuoteMark(line));
  return (quote < 0 ? lines : lines.slice(0, quote)).join('\n');
}

function isQuoteMark(line: string): boolean {
  const start = line.slice(0, MAX_MARK_CHARS);
  return QUOTE_MARKS.some((mark) => mark.test(start));
}

function* reportParts(root: ReportPart): Generator<ReportPart> {
  for (const part of walkParts(root)) {
    if (/^message\/(?:rfc822|partial|global)$|^text\/rfc822-headers$/.test(part.type)) return;
    if (part.type === 'text/plain') yield part;
    else if (part.type === 'text/html') yield { ...part, text: stripTags(part.text) };
    else if (part.text !== '' && part.children.length === 0 && part.type.startsWith('multipart/')) yield part;
  }
}

function stripTags(html: string): string {
  return html
    .slice(0, MAX_TEXT_CHARS)
    .replace(/<(style|script|title)\b[^<>]{0,300}>[^<]{0,60000}<\/\1>/gi, ' ')
    .replace(/<(?:br|p|div|tr|li|h\d)[^<>]{0,300}>/gi, '\n')
    .replace(/<[^<>]{0,1000}>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&nbsp;/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

function recipientOf(given: string): { address: string; rest: string } | null {
  if (given.length > 1000) return null;
  const line = given.replace(/\s{41,}/g, ' '.repeat(40)); // the patterns take quadratic time for blanks
  for (const pattern of RECIPIENT_LINES) {
    const match = pattern.exec(line);
    const address = match?.[1];
    if (address === undefined) continue;
    const leadIn = /[a-z]/i.test(line.slice(0, line.indexOf(address)));
    return { address: trimEnd(address, '.:').toLowerCase(), rest: leadIn ? line : (match?.[2] ?? '') };
  }
  return null;
}

// In a transcript of sendmail the reply stands above the line that names the recipient.
function carried(line: string, before: string[]): string[] {
  const asked = before.findLast((one) => one.startsWith('>>> '));
  const reply = before.findLast((one) => /^<<< \d{3}/.test(one));
  const transcript = /^\d{3}[ -]/.test(line) ? [line] : [];
  return [...[asked, reply].filter((one) => one !== undefined), ...transcript];
}

function failedHeader(root: ReportPart): string[] {
  return headerOf(root, 'x-failed-recipients').toLowerCase().match(new RegExp(ADDRESS, 'g')) ?? [];
}

// The same address is named again where a server first lists and then explains.
function merge(found: { address: string; lines: string[] }[]): TextRecipient[] {
  const byAddress = new Map<string, string[]>();
  for (const { address, lines } of found) {
    byAddress.set(address, [...(byAddress.get(address) ?? []), ...lines]);
  }
  return [...byAddress].map(([address, lines]) => ({ address, words: toWords(lines) }));
}

function toWords(lines: string[]): string {
  return lines.join('\n').trim().slice(0, MAX_WORDS_CHARS);
}
