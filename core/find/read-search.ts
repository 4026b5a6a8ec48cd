// What somebody may mean by the text that they look for.

import { fromId } from '../base/ids.ts';
import { trimEnd } from '../base/trim-end.ts';
import type { MessageFilter } from '../message/message-list-store.ts';
import { MIN_PART_CHARS, wordsOf } from '../message/search/terms.ts';

/** An id of something that has a page. */
export interface WantedId {
  kind: 'msg' | 'con' | 'cmp';
  uuid: string;
}

/** Texts to look for. */
export interface WantedText {
  /** A part of an address; null when the text can be none. */
  address: string | null;
  /** Of messages to that address, only those that match this too. */
  beside: MessageFilter;
  /** Other messages that are meant: by words of the subject, by a tag. */
  others: MessageFilter[];
}

const MAX_WORDS = 10; // each is looked up in the index
const KINDS = ['msg', 'con', 'cmp'] as const;
const BEFORE_ADDRESS = /^[<("']+/; // as it is pasted: "Ann" <ann@example.com>,
const BEHIND_ADDRESS = `>)"',;`;

/** The id that the text is, or null. */
export function readWantedId(text: string): WantedId | null {
  for (const kind of KINDS) {
    const uuid = fromId(kind, text.toLowerCase());
    if (uuid !== null) return { kind, uuid };
  }
  return null;
}

/**
 * What else it may mean. One word is a part of an address, a word of a subject or a tag; with an at in it only an address, beside
 * which other words are of the subject; several words are of the subject, and a text with an equals sign is also a tag.
 */
export function readWantedText(text: string): WantedText {
  const pieces = text.split(/\s+/);
  const withAt = pieces.find((piece) => piece.includes('@'));
  if (withAt !== undefined) {
    const address = trimEnd(withAt.replace(BEFORE_ADDRESS, ''), BEHIND_ADDRESS);
    const words = subjectWords(pieces.filter((piece) => piece !== withAt).join(' '));
    if (address.length >= MIN_PART_CHARS) return { address, beside: words, others: [] };
    return { address: null, beside: {}, others: words.words === undefined ? [] : [words] };
  }
  const words = subjectWords(text);
  const others: MessageFilter[] = words.words === undefined ? [] : [words];
  const equals = text.indexOf('=');
  if (equals > 0) others.push({ tag: { name: text.slice(0, equals), value: text.slice(equals + 1) } });
  else if (pieces.length === 1) others.push({ tag: { name: text, value: null } });
  return { address: pieces.length === 1 ? text : null, beside: {}, others };
}

function subjectWords(text: string): { words?: string[] } {
  const words = [...new Set(wordsOf(text))].slice(0, MAX_WORDS);
  return words.length === 0 ? {} : { words };
}
