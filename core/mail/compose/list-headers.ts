// Headers that mailbox providers read about bulk mail: one-click unsubscribe (RFC 8058, RFC 2369) and Gmail's
// Feedback-ID.

import { foldLine } from '../header-line.ts';
import type { Header } from '../header.ts';

/**
 * Characters of an unsubscribe URL: with its field name it stays on one line, since a URL cannot be folded.
 */
export const MAX_UNSUBSCRIBE_URL_CHARS = 380;

/** The variable of templates that holds the link to unsubscribe. Mail that has a link shows nothing else under this name. */
export const UNSUBSCRIBE_VARIABLE = 'unsubscribe_url';

// The name in braces, as templates write it.
const PLACEHOLDER = new RegExp(`\\{\\{\\s*${UNSUBSCRIBE_VARIABLE}\\s*\\}\\}`, 'g');

// A link is up to twenty times as long as its name: 5 MiB of names would be 100 MB, for each of 50 recipients. The rest stay.
const MAX_PLACES = 1_000;

/** Puts the link where words that are no template name it. */
export function placeUnsubscribeUrl(words: string, url: string): string {
  let places = 0;
  return words.replace(PLACEHOLDER, (name) => (++places > MAX_PLACES ? name : url));
}

/** Who a message counts for at Gmail's Postmaster Tools; any may be an empty string but `sender`. */
export type FeedbackParts = { campaign: string; tenant: string; stream: string; sender: string };

/**
 * List-Unsubscribe and List-Unsubscribe-Post for one https URL that unsubscribes on POST without asking back.
 * Throws on any other URL: receivers show no button for it, and a bad character could end the header.
 */
export function unsubscribeHeaders(url: string): Header[] {
  if (!/^https:\/\/[\x21-\x7e]+$/.test(url) || /[<>,"]/.test(url))
    throw new RangeError('unsubscribe URL is not plain https');
  if (url.length > MAX_UNSUBSCRIBE_URL_CHARS) throw new RangeError('unsubscribe URL is too long');
  return [
    { name: 'List-Unsubscribe', value: `<${url}>` },
    { name: 'List-Unsubscribe-Post', value: ONE_CLICK },
  ];
}

const ONE_CLICK = 'List-Unsubscribe=One-Click';

// Printable, without blanks, quotes, backslashes and what would end the brackets.
const URI = /^(?:https:\/\/[!#-;=?-[\]-~]+|mailto:[!#-;=?A-[\]-~]+@[!#-;=?-[\]-~]+)$/i;

/** Whether a field is one of the pair that lets the recipient leave. */
export function isUnsubscribeField(name: string): boolean {
  return /^list-unsubscribe(?:-post)?$/i.test(name);
}

/** Why a sender's own pair cannot be sent, or null (RFC 2369 section 3.2, RFC 8058 section 3.1). */
export function unsubscribeProblem(headers: readonly Header[]): string | null {
  const valueOf = (wanted: string) => headers.find(({ name }) => name.toLowerCase() === wanted)?.value.trim();
  const list = valueOf('list-unsubscribe');
  const post = valueOf('list-unsubscribe-post');
  const uris = list === undefined ? [] : readUris(list);
  if (uris === null)
    return 'header List-Unsubscribe must be <https://…> or <mailto:…>, or several separated by commas';
  if (post === undefined) return null;
  if (post !== ONE_CLICK) return `header List-Unsubscribe-Post must be ${ONE_CLICK}`;
  if (uris.some((uri) => /^https:/i.test(uri))) return null;
  return 'header List-Unsubscribe-Post needs a List-Unsubscribe with an <https://…> URI';
}

/** The line of a field of such a pair: URIs are protocol text, which is never encoded. Throws on an unchecked one. */
export function unsubscribeLine({ name, value }: Header): string {
  const text = value.trim();
  if (text === ONE_CLICK) return foldLine(`${name}: ${text}`);
  const uris = readUris(text);
  if (uris === null) throw new RangeError(`${name} was not checked`);
  return foldLine(`${name}: ${uris.map((uri) => `<${uri}>`).join(', ')}`);
}

function readUris(value: string): string[] | null {
  if (!value.startsWith('<') || !value.endsWith('>')) return null;
  const uris = value.slice(1, -1).split(/>\s*,\s*</);
  return uris.every((uri) => URI.test(uri) && URL.canParse(uri)) ? uris : null;
}

/**
 * The value of Feedback-ID: four parts joined by colons; other characters than letters, digits, `..`, `_`, `-`
 * become `-`.
 */
export function feedbackId({ campaign, tenant, stream, sender }: FeedbackParts): string {
  return [campaign, tenant, stream, sender]
    .map((part) => part.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 64))
    .join(':');
}
