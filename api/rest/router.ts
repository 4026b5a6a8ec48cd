// Hangs the route table, its documentation and the health paths into hono.

import type { Hono } from 'hono';

import { answerReady, type ReadyChecks } from '../../core/base/health-server.ts';
import type { ApiDeps } from '../deps.ts';
import { bearerCredential, commonHeaders, openExchange, type ApiEnv } from '../exchange.ts';
import { mountEndpoints } from '../mount-endpoints.ts';
import { createServeNothing } from '../serve-nothing.ts';
import { shareBody } from '../slice-response.ts';
import { errorAnswer } from './answer.ts';
import { DOCS_CSP, renderDocs } from './docs-page.ts';
import { toOpenApi30 } from './openapi-3-0.ts';
import { withoutRules } from './openapi-plain.ts';
import { buildOpenApi } from './openapi.ts';
import { BASE_PATH, ROUTES } from './routes.ts';
import type { Route } from './route.ts';
import { serveRoute } from './serve-route.ts';

/** Adds everything below /api/v1, and the answer for all paths that match no route. */
export function mountRest(app: Hono<ApiEnv>, deps: ApiDeps, routes: readonly Route[] = ROUTES): void {
  const serveNothing = createServeNothing(deps, {
    base: BASE_PATH,
    routes,
    credential: bearerCredential,
    answerError: (exchange, known, error) => {
      const of = { path: known[0]?.path ?? 'none', quotaHeaders: known.some((route) => route.quotaHeaders) };
      return errorAnswer(deps, exchange, of, error);
    },
  });
  mountEndpoints(app, BASE_PATH, routes, (route, context) => serveRoute(deps, route, context), serveNothing);
  mountDocs(app, deps, routes);
  app.notFound(serveNothing);
}

/** Adds /healthz and /readyz. */
export function mountHealth(
  app: Hono<ApiEnv>,
  deps: ApiDeps,
  checks: ReadyChecks,
  isStopping: () => boolean,
): void {
  const json = async (context: Parameters<typeof openExchange>[1], status: number, body: unknown) => {
    const headers = await commonHeaders(deps, openExchange(deps, context));
    return new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
  };
  app.get('/healthz', (context) => json(context, 200, { ok: true }));
  app.get('/readyz', async (context) => {
    const { status, body } = await answerReady(
      checks,
      { asked: context.req.query('for') ?? null, authorization: context.req.header('authorization') },
      { isStopping: isStopping(), token: deps.config.INTERNAL_TOKEN },
    );
    return json(context, status, body);
  });
}

function mountDocs(app: Hono<ApiEnv>, deps: ApiDeps, routes: readonly Route[]): void {
  const document = buildOpenApi(routes, new URL(BASE_PATH, deps.config.PUBLIC_URL).href);
  const serve = (path: string, type: string, text: string, more: Record<string, string>) => {
    const body = shareBody(Buffer.from(text));
    app.get(BASE_PATH + path, async (context) => {
      const headers = await commonHeaders(deps, openExchange(deps, context));
      return new Response(body, { status: 200, headers: { ...headers, 'content-type': type, ...more } });
    });
  };
  const published = withoutRules(document);
  const json = 'application/json; charset=utf-8';
  serve('/openapi.json', json, JSON.stringify(published), {});
  serve('/openapi-3.0.json', json, JSON.stringify(toOpenApi30(published)), {});
  serve('/docs', 'text/html; charset=utf-8', renderDocs(document), { 'content-security-policy': DOCS_CSP });
}
