// Hangs a table of routes into hono.

import type { Context, Hono } from 'hono';

import type { Endpoint } from './endpoint.ts';
import type { ApiEnv } from './exchange.ts';

type Serve<R> = (route: R, context: Context<ApiEnv>) => Promise<Response>;

/**
 * Adds the routes below `base`. Fixed paths come first, and with all methods: DELETE /contacts/imports is no DELETE of
 * a contact named imports.
 */
export function mountEndpoints<R extends Pick<Endpoint, 'method' | 'path'>>(
  app: Hono<ApiEnv>,
  base: string,
  routes: readonly R[],
  serve: Serve<R>,
  serveNothing: (context: Context<ApiEnv>) => Promise<Response>,
): void {
  const mount = (route: R) => {
    const path = base + route.path.replace(/\{([^{}]+)\}/g, ':$1');
    app.on(route.method, path, (context) => serve(route, context));
  };
  const fixed = routes.filter((route) => !route.path.includes('{'));
  for (const route of fixed) mount(route);
  for (const path of new Set(fixed.map((route) => route.path))) app.all(base + path, serveNothing);
  for (const route of routes) if (!fixed.includes(route)) mount(route);
}
