// The dashboard's files: its page for every path that a browser requests and no route matches, its hashed assets
// (cached for good), and the frame for foreign HTML. Clients that do not accept HTML get the REST answer for unknown
// paths.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Context, Hono, Next } from 'hono';

import { monotonicMs } from '../../core/base/clock.ts';
import { acceptsEncoding } from '../compress.ts';
import type { ApiDeps } from '../deps.ts';
import { openExchange, type ApiEnv } from '../exchange.ts';
import { createBuildReader, type Asset } from './assets.ts';
import { MAIL_FRAME, mailFramePolicy } from './mail-frame.ts';

/** Where `npm run dashboard:build` puts it. */
const DASHBOARD_FOLDER = join(import.meta.dirname, '../../dashboard/dist');

const NONCE_BYTES = 16;
const RESERVED = /^\/(?:api|graphql|t|u|saml|healthz|readyz)(?:\/|$)/;
const SECURITY_HEADERS = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};
const HTML = { ...SECURITY_HEADERS, 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' };
const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Dashboard</title></head><body>
<h1>The dashboard is not built</h1><p>Run <code>npm run dashboard:build</code> and load this page again.
The REST API does not need it: see <a href="/api/v1/docs">its documentation</a>.</p></body></html>`;

/** Adds the dashboard. Goes in last: everything else has been asked before. */
export function mountDashboard(app: Hono<ApiEnv>, deps: ApiDeps, folder = DASHBOARD_FOLDER): void {
  const readBuild = createBuildReader(folder);
  const counted = (serve: (context: Context<ApiEnv>) => Response | null) => {
    return async (context: Context<ApiEnv>, next: Next): Promise<Response | void> => {
      const exchange = openExchange(deps, context);
      const response = serve(context);
      if (response === null) return next();
      response.headers.set('x-request-id', exchange.requestId);
      const seconds = (monotonicMs() - exchange.startedAt) / 1000;
      deps.metrics.answered('dashboard', context.req.method, response.status, seconds);
      return response;
    };
  };
  app.get(
    '/mail-frame',
    counted(() => mailFrame(false)),
  );
  app.get(
    '/mail-frame/pictures',
    counted(() => mailFrame(true)),
  );
  app.get(
    '*',
    counted((context) => {
      const { path } = context.req;
      if (RESERVED.test(path)) return null;
      const asset = readBuild()?.assets.get(path);
      if (asset) return file(context, asset, path);
      if (path !== '/' && !(context.req.header('accept') ?? '').includes('text/html')) return null;
      return page(readBuild()?.page);
    }),
  );
}

// The nonce is for the one style element that an open dialog adds (it keeps the page behind from scrolling).
function page(html: string | undefined): Response {
  if (html === undefined) {
    const headers = { ...HTML, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" };
    return new Response(NOT_BUILT, { status: 503, headers });
  }
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return new Response(html.replaceAll('__CSP_NONCE__', nonce), {
    headers: { ...HTML, 'content-security-policy': policy },
  });
}

function mailFrame(pictures: boolean): Response {
  return new Response(MAIL_FRAME, {
    headers: { ...HTML, 'content-security-policy': mailFramePolicy(pictures) },
  });
}

// Names under /assets/ carry a hash of their content; the others may change with any build.
function file(context: Context<ApiEnv>, asset: Asset, path: string): Response {
  const accepted = context.req.header('accept-encoding');
  const best = asset.encoded.find(({ encoding }) => acceptsEncoding(accepted, encoding));
  return new Response(best?.body ?? asset.body, {
    headers: {
      ...SECURITY_HEADERS,
      'content-type': asset.type,
      'content-security-policy': "default-src 'none'",
      'cache-control': path.startsWith('/assets/')
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=3600',
      vary: 'accept-encoding',
      ...(best && { 'content-encoding': best.encoding }),
    },
  });
}
