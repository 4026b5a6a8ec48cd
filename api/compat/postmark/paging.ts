// Pages by count and offset over lists that are read by cursor. What filters cannot say is looked at here, one by one, so
// that a page costs bounded work: it is looked for among the newest 10,000.

import { z } from 'zod';

/** Postmark's numbers. */
const MAX_COUNT = 500;
const MAX_DEPTH = 10_000;

const READ_AT_ONCE = 1_000;
const DAY_MS = 86_400_000;
const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/i;

const whole = (max: number) => z.coerce.number().int().min(0).max(max);

/** The parameters of every list. */
const pageQuery = {
  count: whole(MAX_COUNT).default(100),
  offset: whole(MAX_DEPTH - MAX_COUNT).default(0),
  fromdate: z.string().transform(readTime).optional(),
  todate: z.string().transform(readEnd).optional(),
};

/** Parameters of a list, whose names have no letter case, as there. Unknown ones are left out. */
export function listQuery<T extends z.ZodRawShape>(filters: T) {
  const lower = (given: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  return z
    .record(z.string(), z.string())
    .transform(lower)
    .pipe(z.object({ ...pageQuery, ...filters }));
}

/** A page; `total` counts what matches up to its end, and one more when there is more. */
export interface CountedPage<T> {
  total: number;
  items: T[];
}

/** Reads a page: `read` gives what is older than a row, newest first. */
export async function readPage<T>(
  { count, offset }: { count: number; offset: number },
  read: (before: T | undefined, limit: number) => Promise<T[]>,
  matches: (row: T) => boolean = () => true,
): Promise<CountedPage<T>> {
  const wanted = offset + count + 1;
  const found: T[] = [];
  let before: T | undefined;
  for (let seen = 0; seen < MAX_DEPTH && found.length < wanted;) {
    // Without filters the first read has all that is wanted.
    const limit = Math.min(seen === 0 ? wanted : READ_AT_ONCE, READ_AT_ONCE, MAX_DEPTH - seen);
    const rows = await read(before, limit);
    found.push(...rows.filter(matches));
    if (rows.length < limit) break;
    seen += rows.length;
    before = rows.at(-1);
  }
  return { total: Math.min(found.length, wanted), items: found.slice(offset, offset + count) };
}

// `2026-11-22`, or with a time, in UTC unless it says otherwise.
function readTime(text: string, context: z.RefinementCtx): Date {
  const [match, time, zone] = TIME.exec(text) ?? [];
  const date = new Date(time !== undefined && zone === undefined ? `${text}Z` : text);
  const year = date.getUTCFullYear();
  if (match !== undefined && year >= 1970 && year <= 9999) return date;
  context.addIssue({ code: 'custom', message: 'must be a date such as 2026-01-31, or a time in RFC 3339' });
  return z.NEVER;
}

// A day counts to its end.
function readEnd(text: string, context: z.RefinementCtx): Date {
  const date = readTime(text, context);
  return date instanceof Date && !text.includes('T') ? new Date(date.getTime() + DAY_MS) : date;
}
