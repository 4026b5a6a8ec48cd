// Mounts the services whose own clients run against us: the steps of REST, with each service's credentials and errors,
// and its bodies without an envelope.

import type { Context, Hono } from 'hono';

import type { ApiDeps } from '../deps.ts';
import type { Answer, Endpoint } from '../endpoint.ts';
import { openExchange, type ApiEnv, type Exchange } from '../exchange.ts';
import { mountEndpoints } from '../mount-endpoints.ts';
import { answerHeaders, challengeHeaders, refusalOf, retryHeaders, successHeaders } from '../respond.ts';
import { rehearseEndpoint, runEndpoint } from '../run-endpoint.ts';
import { createServeNothing } from '../serve-nothing.ts';
import type { Service } from './service.ts';
import { SERVICES } from './services.ts';

/** Adds everything below /compat. */
export function mountCompat(app: Hono<ApiEnv>, deps: ApiDeps): void {
  for (const service of SERVICES) {
    const { base, routes, credential } = service;
    const serveNothing = createServeNothing(deps, {
      base,
      routes,
      credential,
      answerError: (exchange, known, error) =>
        answerError(deps, exchange, service, known[0]?.path ?? '/none', error),
    });
    const serve = (route: Endpoint, context: Context<ApiEnv>) => serveCompat(deps, service, route, context);
    mountEndpoints(app, base, routes, serve, serveNothing);
    app.all(`${base}/*`, serveNothing);
  }
}

async function serveCompat(
  deps: ApiDeps,
  service: Service,
  route: Endpoint,
  context: Context<ApiEnv>,
): Promise<Response> {
  const exchange = openExchange(deps, context);
  try {
    const credential = service.credential(exchange);
    const isTest = service.testToken !== undefined && credential.token === service.testToken;
    const { status, answer } =
      isTest && route.rehearse
        ? await rehearseEndpoint(deps, exchange, route, route.rehearse)
        : await runEndpoint(deps, exchange, route, credential);
    return await answerSuccess(deps, exchange, service, route.path, status, answer);
  } catch (error) {
    return answerError(deps, exchange, service, route.path, error);
  }
}

async function answerSuccess(
  deps: ApiDeps,
  exchange: Exchange,
  service: Service,
  path: string,
  status: number,
  answer: Answer<unknown>,
): Promise<Response> {
  const headers = { ...(await headersOf(deps, exchange, service, path, status)), ...successHeaders(answer) };
  const body = answer.data === undefined ? null : JSON.stringify(answer.data);
  return new Response(body, { status, headers });
}

async function headersOf(
  deps: ApiDeps,
  exchange: Exchange,
  { base, moreHeaders }: Service,
  path: string,
  status: number,
): Promise<Record<string, string>> {
  const ours = await answerHeaders(deps, exchange, base + path, status);
  return { ...ours, ...moreHeaders?.(ours) };
}

async function answerError(
  deps: ApiDeps,
  exchange: Exchange,
  service: Service,
  path: string,
  error: unknown,
): Promise<Response> {
  const { base, credential, toError } = service;
  const refusal = refusalOf(deps, exchange, base + path, error);
  const { status, body } = toError(refusal, credential(exchange));
  const headers = {
    ...(await headersOf(deps, exchange, service, path, status)),
    ...retryHeaders(refusal),
    ...challengeHeaders(refusal),
  };
  return new Response(JSON.stringify(body), { status, headers });
}
