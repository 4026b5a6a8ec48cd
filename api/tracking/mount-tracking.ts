// What recipients' programs ask for: the pixel, the links, and the way to unsubscribe. No key, no rate limit: the
// token in the path is the permission, and an answer costs one signature. Opens and clicks are recorded after the
// answer; unsubscribing is answered after the commit.

import type { Context, Hono } from 'hono';

import { monotonicMs, nowDate } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import type { Hit } from '../../core/tracking/engagement-store.ts';
import { linkTarget } from '../../core/tracking/link-target.ts';
import { isMachine } from '../../core/tracking/machine.ts';
import { readToken, trackingKeys, type TokenKind, type TrackingToken } from '../../core/tracking/token.ts';
import { unsubscribe } from '../../core/tracking/unsubscribe.ts';
import type { ApiDeps } from '../deps.ts';
import { openExchange, type ApiEnv, type Exchange } from '../exchange.ts';
import type { Page } from '../plain-page.ts';
import { askPage, donePage, unknownPage, waitPage } from './pages.ts';

const MAX_USER_AGENT_CHARS = 500;
// The smallest transparent GIF.
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const HEADERS = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

type Handler = (exchange: Exchange, token: TrackingToken) => Promise<Response> | Response;

/** Adds /t/o, /t/c and /u. */
export function mountTracking(app: Hono<ApiEnv>, deps: ApiDeps): void {
  const keys = trackingKeys(deps.config);
  const serve = (method: 'get' | 'post', path: string, kind: TokenKind, handle: Handler) =>
    app[method](`${path}/:token`, async (context: Context<ApiEnv>) => {
      const exchange = openExchange(deps, context);
      const token = readOwn(context, readToken(kind, context.req.param('token') ?? '', keys));
      const response = token ? await handle(exchange, token) : page(unknownPage());
      response.headers.set('x-request-id', exchange.requestId);
      const seconds = (monotonicMs() - exchange.startedAt) / 1000;
      deps.metrics.answered(`${path}/{token}`, context.req.method, response.status, seconds);
      return response;
    });

  serve('get', '/t/o', 'o', (exchange, token) => {
    deps.engagement.push(hitOf(exchange, token, 'open'));
    return new Response(PIXEL, { headers: { ...HEADERS, 'content-type': 'image/gif' } });
  });
  serve('get', '/t/c', 'c', (exchange, token) => {
    // We only ever sign web addresses; this line is for the day on which somebody forgets.
    const target = linkTarget(token.text);
    if (target === null) return page(unknownPage());
    deps.engagement.push(hitOf(exchange, token, 'click', target));
    return new Response(null, { status: 302, headers: { ...HEADERS, location: target } });
  });
  serve('get', '/u', 'u', (_, token) => page(askPage(token.text)));
  serve('post', '/u', 'u', (exchange, token) => unsubscribeNow(deps, exchange, token));
}

// On a tracking host only its tenant's: else anybody's mail could lead, by our signature, over a name that readers trust.
function readOwn(context: Context<ApiEnv>, token: TrackingToken | null): TrackingToken | null {
  const { trackingTenant } = context.env;
  return trackingTenant === undefined || token?.tenantId === trackingTenant ? token : null;
}

async function unsubscribeNow(deps: ApiDeps, exchange: Exchange, token: TrackingToken): Promise<Response> {
  const fromPage = new URL(exchange.context.req.url).searchParams.has('page');
  try {
    const done = await deps.inTenantOf(token.tenantId, () =>
      unsubscribe(deps.db, token, fromPage ? 'page' : 'one_click'),
    );
    return page(done ? donePage(done.email) : unknownPage());
  } catch (error) {
    deps.log.warn({ err: error, request_id: exchange.requestId }, 'an unsubscribe request failed');
    return page(waitPage());
  }
}

function hitOf(exchange: Exchange, token: TrackingToken, type: Hit['type'], url?: string): Hit {
  const { headers } = exchange.context.env.incoming;
  const userAgent = headers['user-agent'] ?? '';
  const purposes = ['purpose', 'sec-purpose', 'x-purpose'].map((name) => String(headers[name] ?? ''));
  return {
    id: newUuid(),
    type,
    tenantId: token.tenantId,
    messageId: token.messageId,
    at: nowDate(),
    machine: isMachine({ method: exchange.context.req.method, userAgent, purposes }),
    data: {
      ...(url !== undefined && { url }),
      user_agent: userAgent.slice(0, MAX_USER_AGENT_CHARS),
      ip: exchange.client.address,
    },
  };
}

/** A page with the headers of tracking. */
export function page({ status, html, headers }: Page): Response {
  return new Response(html, { status, headers: { ...HEADERS, ...headers } });
}
