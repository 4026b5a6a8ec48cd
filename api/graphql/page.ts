// Relay connections (the Cursor Connections specification) over keyset pages: newest first, by id.

import { AppError, invalidField } from '../../core/base/errors.ts';
import { decodeCursor, encodeCursor, PAGE_LIMIT, UUID_KEY } from '../cursor.ts';

/** Relay's arguments. */
export interface ConnectionArgs {
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
}

/** One page to read: rows older than `before` and newer than `after`, which are ids. */
export interface KeysetPage {
  before: string | undefined;
  after: string | undefined;
  oldestFirst: boolean;
  limit: number;
}

/** Resolves a connection of rows that have an id and are listed newest first, or with `oldest` the other way round. */
export async function resolveById<Row extends { id: string }>(
  args: ConnectionArgs,
  read: (page: KeysetPage) => Promise<Row[]>,
  oldest = false,
) {
  const backward = typeof args.last === 'number';
  if (backward && typeof args.first === 'number') {
    throw new AppError('validation_failed', 'Give first or last, not both.');
  }
  const size = pageSize(args, backward ? 'last' : 'first');
  const above = readKey(args.after, 'after');
  const below = readKey(args.before, 'before');
  const rows = await read({
    ...(oldest ? { before: below, after: above } : { before: above, after: below }),
    oldestFirst: backward !== oldest,
    limit: size + 1, // the extra one only shows that there is more
  });
  const more = rows.length > size;
  const shown = backward ? rows.slice(0, size).reverse() : rows.slice(0, size);
  const edges = shown.map((node) => ({ node, cursor: encodeCursor([node.id]) }));
  return {
    edges,
    pageInfo: {
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
      hasNextPage: backward ? typeof args.before === 'string' : more,
      hasPreviousPage: backward ? more : typeof args.after === 'string',
    },
  };
}

/** Resolves a connection of a list that is paged in one direction; `keyOf` names a row, `keys` say what a key may be. */
export async function resolveForward<Row>(
  args: ConnectionArgs,
  keys: readonly string[],
  keyOf: (row: Row) => string[],
  read: (page: { after: string[] | null; limit: number }) => Promise<Row[]>,
) {
  if (typeof args.last === 'number' || typeof args.before === 'string')
    throw new AppError('validation_failed', 'This list pages forwards only. Use first and after.');
  const size = pageSize(args, 'first');
  const after = typeof args.after === 'string' ? decodeCursor(args.after, keys) : null;
  const rows = await read({ after, limit: size + 1 }); // the extra one only shows that there is more
  const edges = rows.slice(0, size).map((node) => ({ node, cursor: encodeCursor(keyOf(node)) }));
  return {
    edges,
    pageInfo: {
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
      hasNextPage: rows.length > size,
      hasPreviousPage: after !== null,
    },
  };
}

/** The same for rows with an id, newest first. */
export function resolveOlder<Row extends { id: string }>(
  args: ConnectionArgs,
  read: (page: { before: string | null; limit: number }) => Promise<Row[]>,
) {
  return resolveForward<Row>(
    args,
    [UUID_KEY],
    (row) => [row.id],
    ({ after, limit }) => read({ before: after?.[0] ?? null, limit }),
  );
}

/** What a connection costs: its page size times what each node costs. */
export function connectionCost(args: ConnectionArgs): { field: number; multiplier: number } {
  const size = args.first ?? args.last ?? PAGE_LIMIT.default;
  return { field: 1, multiplier: Math.min(Math.max(size, 1), PAGE_LIMIT.max) };
}

function pageSize(args: ConnectionArgs, name: 'first' | 'last'): number {
  const size = args[name] ?? PAGE_LIMIT.default;
  if (size < 1 || size > PAGE_LIMIT.max) throw invalidField(name, `must be 1 to ${PAGE_LIMIT.max}`);
  return size;
}

function readKey(cursor: string | null | undefined, field: string): string | undefined {
  return typeof cursor === 'string' ? decodeCursor(cursor, [UUID_KEY], field)[0] : undefined;
}
