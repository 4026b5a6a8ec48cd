// Lists: the `after` and `limit` of every list route, and the page they give.

import { z } from 'zod';

import { cursorPattern, encodeCursor, PAGE_LIMIT, UUID_KEY } from '../cursor.ts';

/** A cursor of one of these shapes; what a shape is says api/cursor.ts. */
export function cursorInput(...shapes: (readonly string[])[]) {
  const patterns = shapes.map((shape) => cursorPattern(shape).source);
  return z.string().regex(new RegExp(patterns.join('|')), 'is not a cursor of this list');
}

/** The query fields of a list. Spread them into the route's z.strictObject; a list that is not in the order of ids names its key. */
export const pageQueryBy = (shape: readonly string[]) => ({
  after: cursorInput(shape).optional().meta({ description: 'cursor: `next_cursor` of the page before' }),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT.max).default(PAGE_LIMIT.default),
});

/** The same of a list in the order of ids. */
export const pageQuery = pageQueryBy([UUID_KEY]);

/** The response of a list of these. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

/** Makes a page of `limit + 1` rows that were read: the extra one only shows that there is more. */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  key: (row: Row) => string[],
  item: (row: Row) => Item,
): { items: Item[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(item),
    next_cursor: rows.length > limit && last !== undefined ? encodeCursor(key(last)) : null,
  };
}
