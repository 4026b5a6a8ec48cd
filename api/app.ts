// The api as one function from request to answer: REST, GraphQL, other services' clients, documentation, health and
// the dashboard.

import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';

import type { ReadyChecks } from '../core/base/health-server.ts';
import { chargeFor } from '../core/base/loop-time.ts';
import { mountCompat } from './compat/mount-compat.ts';
import { createRequestPath } from './compat/request-path.ts';
import { mountDashboard } from './dashboard/serve-dashboard.ts';
import type { ApiDeps } from './deps.ts';
import type { ApiEnv } from './exchange.ts';
import { mountGraphql } from './graphql/serve-graphql.ts';
import { answerPlainHttp } from './https-redirect.ts';
import { refuseOverTime } from './refuse-over-time.ts';
import { mountSaml } from './saml/mount-saml.ts';
import { traceRequests } from './trace-requests.ts';
import { mountTracking } from './tracking/mount-tracking.ts';
import { createTrackingHostFetch } from './tracking/serve-tracking-hosts.ts';
import { mountHealth, mountRest } from './rest/router.ts';
import { BASE_PATH } from './rest/routes.ts';

// Where mail is submitted and looked at. What recipients open, and the files of the dashboard, nobody traces.
const TRACED_PATHS = ['/graphql', '/compat/*', `${BASE_PATH}/*`];

/** Makes the app. `isStopping` turns /readyz to 503. */
export function createApp(
  deps: ApiDeps,
  options: { checks: ReadyChecks; isStopping: () => boolean },
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ getPath: (request, options) => options?.env?.path ?? getPath(request) });
  mountHealth(app, deps, options.checks, options.isStopping);
  traceRequests(app, deps, TRACED_PATHS);
  mountGraphql(app, deps);
  mountSaml(app, deps);
  mountTracking(app, deps);
  mountCompat(app, deps);
  mountRest(app, deps);
  mountDashboard(app, deps);
  return app;
}

/**
 * The app behind trusted proxies: what they received over plain HTTP is redirected to HTTPS first. Tracking hosts have an
 * app of their own.
 */
export function createFetch(deps: ApiDeps, app: Hono<ApiEnv>) {
  const onTrackingHost = createTrackingHostFetch(deps);
  const pathOf = createRequestPath(deps.config);
  const answer = async (request: Request, env: ApiEnv['Bindings']): Promise<Response> =>
    refuseOverTime(deps, env) ?? (await onTrackingHost(request, env)) ?? app.fetch(request, env);
  return async (request: Request, env: ApiEnv['Bindings']): Promise<Response> => {
    const { address, secure } = deps.readClient(env.incoming);
    if (!secure) return answerPlainHttp(deps, env.incoming, null);
    const account = { address };
    env.account = account;
    env.path = pathOf(request, env);
    return chargeFor(
      (ms) => deps.timeBudget.charge(account, ms),
      () => answer(request, env),
    );
  };
}
