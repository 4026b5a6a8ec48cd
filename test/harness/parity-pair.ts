// A mutation of GraphQL and the route of REST that does the same, and what both are tried on.

import { newUuid, toId, type IdPrefix } from '../../core/base/ids.ts';
import type { Database } from '../../core/db/pool.ts';
import type { Answer } from './api-world.ts';

/** An input, or part of one. */
export type Fields = Record<string, unknown>;

/** A tenant with a verified domain, a key with every scope, and a person of it. */
export interface Side {
  tenantId: string;
  domainId: string;
  domain: string;
  adminIds: { tenantId: string; domainId: string };
  db: Database;
  key: string;
  rest(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates over REST; the id of what was made. */
  make(path: string, body: unknown): Promise<string>;
}

/** One mutation and its route. */
export interface Pair {
  mutation: string;
  /** Method and path. `{id}` is the input's `id`, or the renamed one of `params`. */
  route: string;
  /** Makes what the change needs and gives a good input, in GraphQL's names. */
  good: (side: Side) => Promise<Fields>;
  /** Why `good` is of nothing, so that only refusals are compared. */
  refusalsOnly?: string;
  /** Parameters of the path whose field in the input has another name. */
  params?: Record<string, string>;
  /** Fields of the input that have another name in the body of REST. */
  renamed?: Record<string, string>;
  /** Fields in which REST accepts U+0000: it sends them on encoded. GraphQL accepts it nowhere. */
  anyText?: string[];
  /** Where REST shows the record afterwards; `{id}` is the subject of the audit row. */
  read?: string;
  /** Asked by operators: a super-admin's token, and a person who is super-admin. */
  admin?: true;
}

/** Makes one thing of a kind over REST. */
export const byId = (path: string, body: unknown) => async (side: Side) => ({
  id: await side.make(path, body),
});

/** Names what is not there. */
export const ofNothing =
  (prefix: IdPrefix, more: Fields = {}) =>
  async (side: Side) => ({
    ...more,
    id: toId(prefix, newUuid()),
    ...(prefix === 'dlv' && { tenantId: side.adminIds.tenantId }),
  });
