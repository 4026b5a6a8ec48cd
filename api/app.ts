// The api as one function from request to answer: REST, GraphQL, other services' clients, documentation, health and
// the dashboard.

import { Hono } from 'hono';

import type { ReadyChecks } from '../core/base/health-server.ts';
import { mountCompat } from './compat/mount-compat.ts';
import { mountDashboard } from './dashboard/serve-dashboard.ts';
import type { ApiDeps } from './deps.ts';
import type { ApiEnv } from './exchange.ts';
import { mountGraphql } from './graphql/serve-graphql.ts';
import { redirectToHttps } from './https-redirect.ts';
import { mountSaml } from './saml/mount-saml.ts';
import { mountTracking } from './tracking/mount-tracking.ts';
import { mountHealth, mountRest } from './rest/router.ts';

/** Makes the app. `isStopping` turns /readyz to 503. */
export function createApp(
  deps: ApiDeps,
  options: { checks: ReadyChecks; isStopping: () => boolean },
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  mountHealth(app, deps, options.checks, options.isStopping);
  mountGraphql(app, deps);
  mountSaml(app, deps);
  mountTracking(app, deps);
  mountCompat(app, deps);
  mountRest(app, deps);
  mountDashboard(app, deps);
  return app;
}

/** The app behind trusted proxies: what they received over plain HTTP is redirected to HTTPS first. */
export function createFetch(deps: ApiDeps, app: Hono<ApiEnv>) {
  return (request: Request, env: ApiEnv['Bindings']): Response | Promise<Response> => {
    if (deps.readClient(env.incoming).secure) return app.fetch(request, env);
    return redirectToHttps(deps, env.incoming, null);
  };
}
