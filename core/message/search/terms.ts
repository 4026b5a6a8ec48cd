// What a message is found by. The same cutting serves the message when it is indexed and what is looked for: a message
// that matches has all terms of the search. The reverse is checked on the row itself (message-list-store.ts).

/** What of a message is indexed. */
export interface SearchText {
  to: string;
  subject: string;
  /** Name of the sending domain. */
  domain: string;
  campaignId: string | null;
  tags: { name: string; value: string }[];
}

/** A tag to look for: by its name alone, or with its value. */
export interface TagFilter {
  name: string;
  value: string | null;
}

/** What to look for in those texts; all of it must match. */
export interface TextFilter {
  /** A part of the recipient's address, letter case apart. */
  to?: string | undefined;
  /** Words that are all in the subject, letter case apart. */
  words?: string[] | undefined;
  domain?: string | undefined;
  campaignId?: string | undefined;
  tag?: TagFilter | undefined;
}

/** Characters of a part of an address that is looked for, at least: with fewer the index has nothing to offer. */
export const MIN_PART_CHARS = 3;

// Characters of a local part, with the at behind them, that are a term: few addresses have the same, so that a whole
// address is mostly found without reading where each of its common parts is.
const AT_CHARS = [8, 4];

const MAX_TERM_CHARS = 40; // longer words and values are told apart on the row

/**
 * What stands between words, as a class of characters in the regular expressions of JavaScript and PostgreSQL alike:
 * what ASCII, Latin-1, general and CJK punctuation have besides letters and digits.
 */
export const BETWEEN_WORDS =
  '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9\\u00bb-\\u00bf\\u2000-\\u206f\\u3000-\\u3003\\u3008-\\u3020]';

const SPLIT = new RegExp(BETWEEN_WORDS);

/** The words of a text, in small letters. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(SPLIT).filter(Boolean);
}

/** Every term of a message. */
export function termsOf(message: SearchText): Set<string> {
  return makeTerms([
    ...addressTerms(message.to),
    ...wordsOf(message.subject).map((word) => `w${word}`),
    `d${message.domain}`,
    ...(message.campaignId === null ? [] : [`c${message.campaignId}`]),
    ...message.tags.flatMap(({ name, value }) => [`n${name}`, `v${name}=${value}`]),
  ]);
}

/** The terms that every match has; none when the texts play no part. */
export function termsToFind(filter: TextFilter): Set<string> {
  const { to, words = [], domain, campaignId, tag } = filter;
  return makeTerms([
    ...(to === undefined ? [] : addressTerms(to)),
    ...words.map((word) => `w${word}`),
    ...(domain === undefined ? [] : [`d${domain.toLowerCase()}`]),
    ...(campaignId === undefined ? [] : [`c${campaignId}`]),
    ...(tag === undefined ? [] : [tag.value === null ? `n${tag.name}` : `v${tag.name}=${tag.value}`]),
  ]);
}

/** Whether a term is about the address: many of them say the same, and the rarest are enough. */
export function isOfAddress(term: string): boolean {
  return term.startsWith('t') || term.startsWith('a');
}

function* addressTerms(address: string): Generator<string> {
  const text = address.toLowerCase();
  for (const chars of AT_CHARS) {
    // A quoted local part may have an at itself.
    for (let at = text.indexOf('@', chars); at !== -1; at = text.indexOf('@', at + 1))
      yield `a${text.slice(at - chars, at + 1)}`;
  }
  for (let at = 0; at + MIN_PART_CHARS <= text.length; at++) yield `t${text.slice(at, at + MIN_PART_CHARS)}`;
}

// Half of a surrogate pair cannot be stored.
function makeTerms(terms: string[]): Set<string> {
  return new Set(terms.map((term) => term.slice(0, MAX_TERM_CHARS).toWellFormed()));
}
