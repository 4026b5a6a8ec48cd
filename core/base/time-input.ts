// Times and dates as callers write them, the same in every API.

import { z } from 'zod';

// Year 0 has no place in PostgreSQL, and one of five digits none in RFC 3339 (an offset can make it so).
const YEARS = 'must be in the years 1 to 9999';

/** A time in RFC 3339, with any offset. */
export const instant = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: 'must be a time in RFC 3339, such as 2026-01-31T08:00:00Z',
  })
  .refine(isInYears, YEARS)
  .transform((text) => new Date(text));

/** A day of the calendar, `YYYY-MM-DD`. It stays text. */
export const calendarDay = z.iso.date({ abort: true }).refine(isInYears, YEARS);

function isInYears(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}
