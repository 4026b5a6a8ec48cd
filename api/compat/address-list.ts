// Lists of addresses in one text with commas, as fields of a header and Postmark's fields have them.

import { MAX_RECIPIENTS } from '../../core/message/mailbox-input.ts';

// Characters: more than fifty of the longest mailboxes.
const MAX_CHARS = 100_000;

/**
 * The mailboxes of a list, each as it was written. A comma in quotes or in angle brackets separates nothing. Of a list that
 * is too long the rest is one.
 */
export function splitAddresses(text: string): string[] {
  if (text.length > MAX_CHARS) return [text]; // refused where it is parsed
  const list: string[] = [];
  let from = 0;
  let quoted = false;
  let bracketed = false;
  const add = (end: number) => {
    const one = text.slice(from, end).trim();
    if (one !== '') list.push(one);
    from = end + 1;
  };
  for (let at = 0; at < text.length && list.length <= MAX_RECIPIENTS; at++) {
    const char = text[at];
    if (quoted && char === '\\') at++;
    else if (char === '"' && !bracketed) quoted = !quoted;
    else if (quoted) continue;
    else if (char === '<') bracketed = true;
    else if (char === '>') bracketed = false;
    else if (char === ',' && !bracketed) add(at);
  }
  add(text.length);
  return list;
}
