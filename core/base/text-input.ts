// Texts as callers write them, the same in every API. What is refused is a pattern wherever a pattern can say it, so that
// the OpenAPI document says it too. Only what a text is without the spaces around it is kept.

import { z } from 'zod';

import { isStorable, NOT_STORABLE, STORABLE_PATTERN } from './storable-text.ts';

/** C0 and C1 controls and DEL, as they stand in a class of a pattern. */
export const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';

/** What trim() takes away, controls apart, as it stands in a class of a pattern. */
export const SPACES = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

const LINE = new RegExp(`^[^${CONTROLS}]*$`);
const FILLED_LINE = new RegExp(`^[${SPACES}]*[^${SPACES}${CONTROLS}][^${CONTROLS}]*$`);
const FILLED = new RegExp(`^[${SPACES}]*[^${SPACES}\\u0000][^\\u0000]*$`);
const NOT_A_LINE = 'must not have line breaks or control characters';

/** One line of at most so many characters, which may be empty. */
export const line = (max: number) =>
  z.string().max(max).regex(LINE, NOT_A_LINE).refine(isStorable, NOT_STORABLE).trim();

/** One line of 1 to so many characters, not all of them spaces. */
export const filledLine = (max: number) =>
  z
    .string()
    .min(1, { abort: true })
    .max(max)
    .regex(FILLED_LINE, {
      error: ({ input }) => (LINE.test(input as string) ? 'must not be empty' : NOT_A_LINE),
    })
    .refine(isStorable, NOT_STORABLE)
    .trim();

/** A text of 1 to so many characters, not all of them spaces. */
export const filledText = (max: number) =>
  z
    .string()
    .min(1, { abort: true })
    .max(max)
    .regex(FILLED, {
      error: ({ input }) => (isStorable(input as string) ? 'must not be empty' : NOT_STORABLE),
    })
    .refine(isStorable, NOT_STORABLE)
    .trim();

/** A text of at most so many characters, kept as it is. */
export const storable = (max: number, min = 0) =>
  z.string().min(min).max(max).refine(isStorable, NOT_STORABLE).meta({ pattern: STORABLE_PATTERN });
