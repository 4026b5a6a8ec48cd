// Serves one request of REST: the steps of every API, in the envelope of this one.

import type { Context } from 'hono';

import type { ApiDeps } from '../deps.ts';
import { bearerCredential, openExchange, type ApiEnv } from '../exchange.ts';
import { runEndpoint } from '../run-endpoint.ts';
import { dataAnswer, errorAnswer } from './answer.ts';
import type { Route } from './route.ts';

/** Serves one request of one route. Never throws. */
export async function serveRoute(deps: ApiDeps, route: Route, context: Context<ApiEnv>): Promise<Response> {
  const exchange = openExchange(deps, context);
  try {
    const { status, answer } = await runEndpoint(deps, exchange, route, bearerCredential(exchange));
    return await dataAnswer(deps, exchange, route, status, answer);
  } catch (error) {
    return errorAnswer(deps, exchange, route, error);
  }
}
