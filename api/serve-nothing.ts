// Requests that no route of an API matches: an unknown path is 404, a known path with another method 405. They are
// counted like any other request of their caller, so that probing is limited too.

import type { Context } from 'hono';

import { AppError } from '../core/base/errors.ts';
import type { ApiDeps } from './deps.ts';
import type { Endpoint } from './endpoint.ts';
import { countRequest, openExchange, type ApiEnv, type Credential, type Exchange } from './exchange.ts';

/** What is an API's own here. `R` is its kind of route. */
export interface NothingSpec<R> {
  /** Where its paths begin. */
  base: string;
  routes: readonly R[];
  credential: (exchange: Exchange) => Credential;
  /** Its error answer. `known` are the routes of the path under other methods. */
  answerError: (exchange: Exchange, known: readonly R[], error: unknown) => Promise<Response>;
}

/** Makes the answer for paths that an API's table does not have. */
export function createServeNothing<R extends Pick<Endpoint, 'method' | 'path'>>(
  deps: ApiDeps,
  { base, routes, credential, answerError }: NothingSpec<R>,
): (context: Context<ApiEnv>) => Promise<Response> {
  const patterns = routes.map((route) => ({ route, pattern: pathPattern(base + route.path) }));

  return async (context) => {
    const exchange = openExchange(deps, context);
    const { path, method } = context.req;
    const known = fixedFirst(patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route));
    try {
      const { token } = credential(exchange);
      const { exact } = exchange.client;
      const identity =
        token === null ? null : await deps.authenticator.authenticate(token, exact).catch(() => null);
      exchange.principal = identity?.principal ?? null;
      const key = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
      await countRequest(deps, exchange, { key, nobody: 'anonymous' }, 1);
    } catch (error) {
      return answerError(exchange, known, error);
    }
    if (known.length === 0) {
      return answerError(exchange, known, new AppError('not_found', 'There is no route at this path.'));
    }
    const allow = allowed(known);
    const refusal = new AppError(
      'method_not_allowed',
      `This path supports ${allow}, not ${method.slice(0, 20)}.`,
    );
    const response = await answerError(exchange, known, refusal);
    response.headers.set('allow', allow);
    return response;
  };
}

// `/contacts/import` also looks like `/contacts/{id}`, but is not one.
function fixedFirst<R extends Pick<Endpoint, 'path'>>(routes: R[]): R[] {
  const fixed = routes.filter((route) => !route.path.includes('{'));
  return fixed.length > 0 ? fixed : routes;
}

function allowed(routes: Pick<Endpoint, 'method'>[]): string {
  const methods = new Set(routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return [...methods].sort().join(', ');
}

function pathPattern(path: string): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = path.split(/\{[^{}]+\}/).map(literal);
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
