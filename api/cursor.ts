// Cursors of lists: opaque to clients, for us the sort key of the last row of a page. A row's key never changes, so a
// page neither skips nor repeats a row that was there when the first page was read.

import { invalidField } from '../core/base/errors.ts';

/** Rows of a page; the contract's numbers. */
export const PAGE_LIMIT = { default: 50, max: 100 } as const;

const MAX_CURSOR_CHARS = 1_024;

/** The cursor after a row with this sort key. */
export function encodeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** The sort key in a cursor of ours. Refuses anything else, naming the field. */
export function decodeCursor(cursor: string, shape: readonly RegExp[], field = 'after'): string[] {
  const key = cursor.length <= MAX_CURSOR_CHARS ? readKey(cursor) : null;
  if (!key || key.length !== shape.length || !key.every((part, i) => shape[i]?.test(part))) {
    throw invalidField(field, 'is not a cursor of this list');
  }
  return key;
}

/** A key that is a time, as toISOString writes it. */
export const TIME_KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The shape of a UUID in a cursor. */
export const UUID_KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function readKey(cursor: string): string[] | null {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(key) && key.every((part) => typeof part === 'string') ? key : null;
  } catch {
    return null;
  }
}
