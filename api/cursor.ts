// Cursors of lists: opaque to clients, for us the sort key of the last row of a page. A row's key never changes, so a
// page neither skips nor repeats a row that was there when the first page was read. The parts of a key stand as they are,
// with `_` between them: then a pattern says exactly what a list takes, and the OpenAPI document has it.

import { invalidField } from '../core/base/errors.ts';

/** Rows of a page; the contract's numbers. */
export const PAGE_LIMIT = { default: 50, max: 100 } as const;

/** A part that is a time: milliseconds since the epoch, of the years until 2286. */
export const TIME_KEY = '[0-9]{13}';

/** A part that is a UUID. */
export const UUID_KEY = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** A part that is the version of a template: a number that an integer of PostgreSQL holds. */
export const VERSION_KEY = '[1-9][0-9]{0,8}';

/** A part that is the name of a domain. */
export const DOMAIN_KEY = '[a-z0-9.-]{1,253}';

/** A part that is an address as a suppression keeps it. Only the last part may be one: it may have a `_`. */
export const EMAIL_KEY = '[^\\u0000]{1,320}';

/** The part for a time. */
export function timeKey(time: Date): string {
  return String(time.getTime()).padStart(13, '0');
}

/** The time of such a part. */
export function keyTime(part: string): Date {
  return new Date(Number(part));
}

/** What the cursors of a list with these parts look like. */
export function cursorPattern(shape: readonly string[]): RegExp {
  return new RegExp(`^${shape.map((part) => `(${part})`).join('_')}$`);
}

/** The cursor after a row with this sort key. */
export function encodeCursor(key: readonly string[]): string {
  return key.join('_');
}

/** The sort key in a cursor of ours. Refuses anything else, naming the field. */
export function decodeCursor(cursor: string, shape: readonly string[], field = 'after'): string[] {
  const pattern = cursorPattern(shape);
  const match = pattern.exec(cursor) ?? pattern.exec(olderCursor(cursor));
  if (!match) throw invalidField(field, 'is not a cursor of this list');
  return match.slice(1);
}

const OLDER = /^WyI[A-Za-z0-9_-]{1,1000}$/;

// Until 0.1 a cursor was base64url of a JSON list. Followers of events keep theirs for days: those go on working.
function olderCursor(cursor: string): string {
  if (!OLDER.test(cursor)) return '';
  try {
    return encodeCursor(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as string[]);
  } catch {
    return '';
  }
}
