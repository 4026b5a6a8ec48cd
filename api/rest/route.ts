// The route table's one kind of row. What serves a route and what documents it are both made from here: a new route
// is a new file under v1/ and a line in routes.ts.

import type { z } from 'zod';

import type { ErrorCode } from '../../core/base/errors.ts';
import type { Access, Answer, Call, Endpoint, EndpointSpec } from '../endpoint.ts';
import type { Deprecation } from './deprecation.ts';

/** One row of the table, as its file writes it. */
export interface RouteSpec<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B,
  R extends z.ZodType,
> extends EndpointSpec<A, P, Q, B> {
  /** Name in the OpenAPI document, and of the method in clients made from it: `sendMessage`. Never changed. */
  operationId: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  summary: string;
  description?: string;
  response: R;
  /** Media type, or range of them, of a success that is a file and not the envelope. */
  file?: string;
  status: 200 | 201 | 202;
  /** Whether its answers show the tenant's month. */
  quotaHeaders?: boolean;
  /** Codes that only some routes answer, beside those that follow from the rest of the row. */
  errors?: readonly ErrorCode[];
  /** Set when the route will be removed: every answer of it says since when and until when. */
  deprecated?: Deprecation;
  /** A body for the documentation's curl example. */
  example?: unknown;
}

/** A route without its specific types, as the router and the documentation see it. */
export type Route = RouteSpec<Access, z.ZodType, z.ZodType, unknown, z.ZodType> & Pick<Endpoint, 'handle'>;

/** Defines one route: its row and its handler. */
export function defineRoute<
  A extends Access,
  R extends z.ZodType,
  P extends z.ZodType = z.ZodType<undefined>,
  Q extends z.ZodType = z.ZodType<undefined>,
  B = undefined,
>(
  spec: RouteSpec<A, P, Q, B, R>,
  handle: (call: Call<A, z.output<P>, z.output<Q>, B>) => Promise<Answer<z.input<R>>>,
): Route {
  return { ...spec, handle } as unknown as Route;
}
