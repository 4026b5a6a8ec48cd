// Requests that no route matches: an unknown path is 404, a known path with another method 405. They are counted like
// any other request of their caller, so that probing is limited too.

import type { Context } from 'hono';

import { AppError } from '../../core/base/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { bearerToken, countRequest, openExchange, type ApiEnv } from '../exchange.ts';
import { errorAnswer } from './answer.ts';
import type { Route } from './route.ts';

/** Makes the answer for paths below `base` that the table does not have. */
export function createServeNothing(
  deps: ApiDeps,
  base: string,
  routes: readonly Route[],
): (context: Context<ApiEnv>) => Promise<Response> {
  const patterns = routes.map((route) => ({ route, pattern: pathPattern(base + route.path) }));

  return async (context) => {
    const exchange = openExchange(deps, context);
    const { path, method } = context.req;
    const known = fixedFirst(patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route));
    const of = { path: known[0]?.path ?? 'none', quotaHeaders: known.some((route) => route.quotaHeaders) };
    try {
      const token = bearerToken(exchange);
      exchange.principal =
        token === null ? null : await deps.authenticator.authenticate(token).catch(() => null);
      const key = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
      await countRequest(deps, exchange, { key, nobody: 'anonymous' }, 1);
    } catch (error) {
      return errorAnswer(deps, exchange, of, error);
    }
    if (known.length === 0) {
      return errorAnswer(deps, exchange, of, new AppError('not_found', 'There is no route at this path.'));
    }
    const allow = allowed(known);
    const refusal = new AppError(
      'method_not_allowed',
      `This path supports ${allow}, not ${method.slice(0, 20)}.`,
    );
    const response = await errorAnswer(deps, exchange, of, refusal);
    response.headers.set('allow', allow);
    return response;
  };
}

// `/contacts/import` also looks like `/contacts/{id}`, but is not one.
function fixedFirst(routes: Route[]): Route[] {
  const fixed = routes.filter((route) => !route.path.includes('{'));
  return fixed.length > 0 ? fixed : routes;
}

function allowed(routes: Route[]): string {
  const methods = new Set(routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return [...methods].sort().join(', ');
}

function pathPattern(path: string): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = path.split(/\{[^}]+\}/).map(literal);
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
