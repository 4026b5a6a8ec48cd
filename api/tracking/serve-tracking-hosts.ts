// Tracking hosts: customers' own names for links, pixel and unsubscribe page. Nothing else of ours is there, and on our own
// host the links of all hosts go on working for ever.

import type { TLSSocket } from 'node:tls';
import { Hono } from 'hono';

import { monotonicMs } from '../../core/base/clock.ts';
import type { ApiDeps } from '../deps.ts';
import { openExchange, type ApiEnv } from '../exchange.ts';
import { HOST } from '../https-redirect.ts';
import type { ContextFor } from '../servers.ts';
import { mountTracking, page } from './mount-tracking.ts';
import { unknownPage, waitPage } from './pages.ts';

/** Finds the certificate of a tracking host; our own certificate for all other names, and when the database is away. */
export function createContextFor({ trackingHosts, log }: Pick<ApiDeps, 'trackingHosts' | 'log'>): ContextFor {
  return async (servername) => {
    try {
      return (await trackingHosts.get(servername))?.context ?? null;
    } catch (error) {
      log.warn({ err: error, host: servername.slice(0, 253) }, 'a tracking host cannot be looked up');
      return null;
    }
  };
}

/** Answers requests for tracking hosts, by SNI and Host; null for all others. */
export function createTrackingHostFetch(deps: ApiDeps) {
  const { trackingHosts, log } = deps;
  const app = new Hono<ApiEnv>();
  mountTracking(app, deps);
  app.notFound((context) => {
    const { requestId, startedAt } = openExchange(deps, context);
    const response = page(unknownPage());
    response.headers.set('x-request-id', requestId);
    const seconds = (monotonicMs() - startedAt) / 1000;
    deps.metrics.answered('tracking host', context.req.method, response.status, seconds);
    return response;
  });
  return async (request: Request, env: ApiEnv['Bindings']): Promise<Response | null> => {
    const { socket, headers } = env.incoming;
    const host = (HOST.exec(headers.host ?? '')?.[1] ?? '').toLowerCase();
    const asked = (socket as Partial<TLSSocket>).servername;
    const sni = typeof asked === 'string' ? asked.toLowerCase() : host;
    try {
      // What comes over a connection for a tracking host is for that host (RFC 9110 section 7.4).
      if (sni !== host && (await trackingHosts.get(sni)))
        return new Response('This connection is for another host.\n', { status: 421 });
      const served = await trackingHosts.get(host);
      return served && app.fetch(request, { ...env, trackingTenant: served.tenantId });
    } catch (error) {
      log.warn({ err: error, host }, 'a tracking host cannot be looked up');
      return page(waitPage());
    }
  };
}
