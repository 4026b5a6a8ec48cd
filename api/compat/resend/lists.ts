// Lists as Resend's clients page through them: by the ids of what they show, newest first.

import { z } from 'zod';

import { invalidField } from '../../../core/base/errors.ts';
import { fromId, type IdPrefix } from '../../../core/base/ids.ts';

const LIMIT = { default: 20, max: 100 }; // its documentation's

/** The query of a list. */
export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIMIT.max).default(LIMIT.default),
  after: z.string().optional(),
  before: z.string().optional(),
});

/** Which part of a list: the page to read, with one row more than is shown. */
export interface Part {
  page: { before: string | null; after: string | null; limit: number };
}

/** The part that a query asks for, of a list of things with this kind of id. */
export function toPart({ limit, after, before }: z.output<typeof listQuery>, prefix: IdPrefix): Part {
  if (after !== undefined && before !== undefined)
    throw invalidField('before', 'cannot be combined with after');
  // Its `after` is what comes after in the list, so what is older.
  const page = { before: readId(after, prefix, 'after'), after: readId(before, prefix, 'before') };
  return { page: { ...page, limit: limit + 1 } };
}

/** A list of the rows of a page. */
export function toList<Row>(rows: readonly Row[], { page }: Part, item: (row: Row) => unknown) {
  const shown = rows.slice(0, page.limit - 1);
  if (page.after !== null) shown.reverse(); // read from there upwards
  return { object: 'list', has_more: rows.length === page.limit, data: shown.map(item) };
}

function readId(given: string | undefined, prefix: IdPrefix, field: string): string | null {
  if (given === undefined) return null;
  const uuid = fromId(prefix, given);
  if (uuid === null) throw invalidField(field, 'is not an id of this list');
  return uuid;
}
