// The route table's one kind of row. What serves a route and what documents it are both made from here: a new route
// is a new file under v1/ and a line in routes.ts.

import { z } from 'zod';

import type { Actor } from '../../core/audit/actor.ts';
import type { ErrorCode } from '../../core/base/errors.ts';
import { checkValue, type Checked } from '../../core/base/field-problems.ts';
import { fromId, type IdPrefix } from '../../core/base/ids.ts';
import type { IdempotencyKey } from '../../core/message/submission.ts';
import type { AdminPrincipal, KeyPrincipal, UserPrincipal } from '../../core/people/authenticate.ts';
import type { Scope } from '../../core/key/scope.ts';
import type { ApiDeps } from '../deps.ts';
import type { RateClasses } from '../exchange.ts';
import type { RateClass } from '../rate-limit.ts';
import { DEFAULT_BODY_BYTES } from '../read-body.ts';
import type { Upload } from '../read-upload.ts';
import type { Deprecation } from './deprecation.ts';

/** Who may call: keys with a scope (and people of the tenant), any key, or super-admins. */
export type Access = Scope | 'any' | 'admin';

/** Who is calling, given the access. */
type Caller<A extends Access> = A extends 'admin'
  ? AdminPrincipal | UserPrincipal
  : KeyPrincipal | UserPrincipal;

/** How a body is documented and how it is checked. */
export interface BodySpec<B> {
  schema: z.ZodType;
  check: (raw: unknown) => Checked<B>;
  limitBytes: number;
  /** A request without a body counts as one with an empty object. */
  optional?: boolean;
}

/** A body that the handler reads as it streams in: its media types, each with the schema that documents it. */
export interface UploadSpec {
  content: Record<string, z.ZodType>;
  limitBytes: number;
}

/** What a handler gets. */
export interface Call<A extends Access, P, Q, B> {
  deps: ApiDeps;
  caller: Caller<A>;
  /** The caller, for verbs that change something. */
  by: Actor;
  params: P;
  query: Q;
  body: B;
  /** Set when the route accepts an upload. */
  upload: Upload | undefined;
  /** Set when the route is idempotent by its handler and the client sent a key. */
  idempotency: IdempotencyKey | undefined;
  /** UUID for what the request makes; a retry under the same Idempotency-Key gets the same one. */
  changeId: string;
  signal: AbortSignal;
  /** Gives the quota headers what the handler knows already. */
  setQuota(quota: { used: number; cap: number } | null): void;
}

/** What a handler answers. Refusals are thrown as AppError. */
export interface Answer<R> {
  data: R;
  /** This is the answer to an earlier request with the same Idempotency-Key. */
  replayed?: boolean;
}

/** One row of the table, as its file writes it. */
export interface RouteSpec<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B,
  R extends z.ZodType,
> {
  /** Name in the OpenAPI document, and of the method in clients made from it: `sendMessage`. Never changed. */
  operationId: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below /api/v1, with `{name}` for parameters. */
  path: `/${string}`;
  access: A;
  summary: string;
  description?: string;
  /** Heading in the documentation. */
  group: string;
  params?: P;
  query?: Q;
  body?: BodySpec<B>;
  /** Instead of `body`. Such a route is idempotent by its handler: only that has seen what was sent. */
  upload?: UploadSpec;
  response: R;
  /** Media type, or range of them, of a success that is a file and not the envelope. */
  file?: string;
  /** Status of a success. */
  status: 200 | 201 | 202;
  /** Class of its rate limit; by default `read` for GET, else `write`. */
  rateClass?: RateClass;
  /** How many requests one request counts as, when that depends on its body. */
  cost?: (raw: unknown) => number;
  /** POST only: who keeps the first answer. By default this route's pipeline. */
  idempotency?: 'pipeline' | 'handler';
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
export type Route = RouteSpec<Access, z.ZodType, z.ZodType, unknown, z.ZodType> & {
  handle: (call: Call<Access, unknown, unknown, unknown>) => Promise<Answer<unknown>>;
};

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

/** A JSON body that a schema alone checks. */
export function jsonBody<T extends z.ZodType>(
  schema: T,
  limitBytes = DEFAULT_BODY_BYTES,
): BodySpec<z.output<T>> {
  return { schema, check: (raw) => checkValue(schema, raw), limitBytes };
}

/** A path parameter that is an id of this kind; the handler gets its UUID. A malformed one is `not_found`. */
export function idParam(prefix: IdPrefix) {
  return z
    .string()
    .transform((text, context): string => {
      const uuid = fromId(prefix, text);
      if (uuid !== null) return uuid;
      context.addIssue({ code: 'custom', message: 'is not an id' });
      return z.NEVER;
    })
    .meta({ description: `\`${prefix}_…\`` });
}

/**
 * Whether a request without a body counts as one with an empty object. A PATCH changes the fields that it names;
 * without a body it names none (`?rotate_secret=true` needs no other word).
 */
export function isBodyOptional(route: Pick<Route, 'method'>, body: BodySpec<unknown>): boolean {
  return body.optional === true || route.method === 'PATCH';
}

/** The classes that a route's requests count under. */
export function routeRateClasses(route: Pick<Route, 'method' | 'rateClass'>): RateClasses {
  return { key: route.rateClass ?? (route.method === 'GET' ? 'read' : 'write'), nobody: 'anonymous' };
}
