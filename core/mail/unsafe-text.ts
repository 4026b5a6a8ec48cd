// Characters that have no honest use in an address, a name or a header value.

import { CONTROLS, SPACES } from '../base/text-input.ts';

/** C0 and C1 controls and DEL: CR and LF end a header, NUL ends a C string in somebody's parser. */
export const CONTROL = new RegExp(`[${CONTROLS}]`);

/** REORDERING as it stands in a class of a pattern. */
export const REORDERERS = '\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

/**
 * Line and paragraph separators, and the bidi embeddings, overrides and isolates: with these a
 * name or a file name is shown in another order than it is read ("Trojan source").
 */
export const REORDERING = new RegExp(`[${REORDERERS}]`);

const SAFE = `[^${CONTROLS}${REORDERERS}]`;

/** A line with none of either, as a pattern. */
export const SAFE_LINE_PATTERN = `^${SAFE}*$`;

/** The same with something in it besides spaces. For documents: it takes long on a long line of spaces. */
export const SAFE_FILLED_LINE_PATTERN = `^${SAFE}*[^${CONTROLS}${REORDERERS}${SPACES}]${SAFE}*$`;

/** Every invisible or format character (Unicode Cf, Zl, Zp, Cc), surrogates and unassigned code points. */
export const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;

const ALL_CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
const ALL_REORDERING = /[\u202a-\u202e\u2066-\u2069]+/g;

/** Whether every character is ASCII, controls included. */
export function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/**
 * The text on one line: each run of controls becomes one space, bidi overrides go, lone surrogates become
 * U+FFFD.
 */
export function toOneLine(text: string): string {
  return text.toWellFormed().replace(ALL_CONTROLS, ' ').replace(ALL_REORDERING, '').trim();
}
