// The one shape of a service whose own clients may speak to us: where its paths are, its routes, where its credentials
// are, and what its errors look like. Everything else is what REST does (run-endpoint.ts).

import type { z } from 'zod';

import type { Config } from '../../core/base/config.ts';
import type { AppError } from '../../core/base/errors.ts';
import type { Access, Answer, Call, Endpoint, EndpointSpec } from '../endpoint.ts';
import type { Credential, Exchange } from '../exchange.ts';

/** A refusal in a service's own shape. */
export interface ServiceError {
  status: number;
  body: unknown;
}

/** One service. */
export interface Service {
  /** Its name in COMPAT_HOSTS, and in `base`. */
  name: keyof Config['COMPAT_HOSTS'];
  /** Where its paths begin: our part of the base URL that its clients are given. */
  base: `/compat/${string}`;
  routes: readonly Endpoint[];
  /** Our API key, from where its clients put theirs. */
  credential: (exchange: Exchange) => Credential;
  /** Headers that its answers have besides ours, made from ours. */
  moreHeaders?: (ours: Record<string, string>) => Record<string, string>;
  /** A token that is no key: requests with it are checked and answered by `rehearse` of their route, and do nothing. */
  testToken?: string;
  /** `credential` is what the request came with: some services tell a wrong key from none. */
  toError: (refusal: AppError, credential: Credential) => ServiceError;
}

/** Defines one route of a service. What its handler answers is the body; without `data` there is none. */
export function defineEndpoint<
  A extends Access,
  P extends z.ZodType = z.ZodType<undefined>,
  Q extends z.ZodType = z.ZodType<undefined>,
  B = undefined,
>(
  spec: EndpointSpec<A, P, Q, B>,
  handle: (call: Call<A, z.output<P>, z.output<Q>, B>) => Promise<Answer<unknown>>,
): Endpoint {
  return { ...spec, handle } as unknown as Endpoint;
}
