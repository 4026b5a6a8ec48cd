// What every JSON route has, whichever API it belongs to: who may call it, how often, what it reads, and its handler.
// REST's own rows (rest/route.ts) add their documentation, those of other services' clients (compat/route.ts) nothing.

import type { z } from 'zod';

import type { Actor } from '../core/audit/actor.ts';
import { checkValue, type Checked } from '../core/base/field-problems.ts';
import type { IdempotencyKey } from '../core/message/submission.ts';
import type { AdminPrincipal, KeyPrincipal, UserPrincipal } from '../core/people/authenticate.ts';
import type { Scope } from '../core/key/scope.ts';
import type { ApiDeps } from './deps.ts';
import type { RateClasses } from './exchange.ts';
import type { RateClass } from './rate-limit.ts';
import { DEFAULT_BODY_BYTES } from './read-body.ts';
import type { Upload } from './read-upload.ts';

/** Who may call: keys with a scope (and people of the tenant), any key, or super-admins. */
export type Access = Scope | 'any' | 'admin';

/** Who is calling, given the access. */
export type Caller<A extends Access> = A extends 'admin'
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
  /** A header of the request, by its name in lower case. */
  header: (name: string) => string | undefined;
  signal: AbortSignal;
  /** Refuses when the caller may no longer ask this: for answers that take long. */
  requireAccess(): Promise<void>;
  /** Gives the quota headers what the handler knows already. */
  setQuota(quota: { used: number; cap: number } | null): void;
}

/** What a handler answers. Refusals are thrown as AppError. */
export interface Answer<R> {
  data: R;
  /** This is the answer to an earlier request with the same Idempotency-Key. */
  replayed?: boolean;
  /** Headers of its own. */
  headers?: Record<string, string>;
  /** Instead of the route's. */
  status?: number;
}

/** What the steps of a request need to know of its route. `P`, `Q` and `B` are what its handler gets. */
export interface EndpointSpec<A extends Access, P extends z.ZodType, Q extends z.ZodType, B> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API's base path, with `{name}` for parameters. */
  path: `/${string}`;
  access: A;
  /** What it is about, in the plural: heading in the documentation, noun of the error for a malformed id. */
  group: string;
  params?: P;
  query?: Q;
  body?: BodySpec<B>;
  /** Instead of `body`. Such a route is idempotent by its handler: only that has seen what was sent. */
  upload?: UploadSpec;
  /** Status of a success. */
  status: 200 | 201 | 202 | 204;
  /** Class of its rate limit; by default `read` for GET, else `write`. */
  rateClass?: RateClass;
  /** How many requests one request counts as, when that depends on its body. */
  cost?: (raw: unknown) => number;
  /** POST only: who keeps the first answer. By default the steps that all routes share. */
  idempotency?: 'pipeline' | 'handler';
  /** Open to a key for one domain too: the handler keeps it to that domain. */
  forOneDomain?: true;
  /** For super-admins: `{id}` of the path is the tenant that it is about. */
  aboutTenant?: true;
  /** The answer to the test token of its API (compat/service.ts): the body is checked, and nothing is done. */
  rehearse?: (body: B) => unknown;
  /** The answer has a secret: the first one is kept sealed, as secrets are everywhere in the database. */
  hasSecret?: true;
}

/** A route of any API without its specific types. */
export type Endpoint = EndpointSpec<Access, z.ZodType, z.ZodType, unknown> & {
  handle: (call: Call<Access, unknown, unknown, unknown>) => Promise<Answer<unknown>>;
};

/** A JSON body that a schema alone checks. */
export function jsonBody<T extends z.ZodType>(
  schema: T,
  limitBytes = DEFAULT_BODY_BYTES,
): BodySpec<z.output<T>> {
  return { schema, check: (raw) => checkValue(schema, raw), limitBytes };
}

/**
 * Whether a request without a body counts as one with an empty object. A PATCH changes the fields that it names;
 * without a body it names none (`?rotate_secret=true` needs no other word), unless there is one that it must name.
 */
export function isBodyOptional(route: Pick<Endpoint, 'method'>, body: BodySpec<unknown>): boolean {
  return body.optional === true || (route.method === 'PATCH' && body.check({}).ok);
}

/** The classes that a route's requests count under. */
export function rateClassesOf(route: Pick<Endpoint, 'method' | 'rateClass'>): RateClasses {
  return { key: route.rateClass ?? (route.method === 'GET' ? 'read' : 'write'), nobody: 'anonymous' };
}
