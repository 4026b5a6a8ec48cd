// The one text that everything is looked for by.

import { filledText } from '../base/text-input.ts';
import { MIN_PART_CHARS } from '../message/search/terms.ts';

/** Characters: an address of 320 and some words beside it. */
const MAX_CHARS = 400;

/** A text to look for: at least as long as a part of an address that has an index. */
export const searchText = filledText(MAX_CHARS).min(MIN_PART_CHARS, {
  error: `Enter at least ${MIN_PART_CHARS} characters.`,
});
