// /saml/{tenant}: our metadata, starting a sign-in, and the address that identity providers post their answers to. That
// POST is the one request that another site's page may make to us: its proof is inside it, and it needs no session.

import type { Context, Hono } from 'hono';

import { monotonicMs } from '../../core/base/clock.ts';
import { AppError } from '../../core/base/errors.ts';
import { fromId } from '../../core/base/ids.ts';
import { finishLogin, type SsoOutcome } from '../../core/sso/finish-login.ts';
import { serviceProvider } from '../../core/sso/service-provider.ts';
import { readOurMetadata, startLogin } from '../../core/sso/start-login.ts';
import { atHome, type ApiDeps } from '../deps.ts';
import { ERROR_STATUS, toAppError } from '../error-table.ts';
import { commonHeaders, countRequest, openExchange, type ApiEnv, type Exchange } from '../exchange.ts';
import { refreshCookies } from '../graphql/refresh-cookie.ts';
import type { Page } from '../plain-page.ts';
import { readBody } from '../read-body.ts';
import { browserCookie, clearedBrowserCookie, newBrowserToken, readBrowserToken } from './browser-cookie.ts';
import { badRequestPage, refusalPage, signedInPage } from './pages.ts';

const MAX_BODY_BYTES = 100_000; // a response with a long certificate chain has 30 kB
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

interface Answer {
  status: number;
  body: string | null;
  headers: Record<string, string>;
  cookies?: string[];
}

type Handler = (deps: ApiDeps, exchange: Exchange, tenantId: string) => Promise<Answer>;

/** Adds the three addresses. */
export function mountSaml(app: Hono<ApiEnv>, deps: ApiDeps): void {
  app.get('/saml/:tenant/metadata', (context) => serve(deps, context, 'metadata', metadata));
  app.get('/saml/:tenant/login', (context) => serve(deps, context, 'login', login));
  app.post('/saml/:tenant/acs', (context) => serve(deps, context, 'acs', acs));
}

async function serve(
  deps: ApiDeps,
  context: Context<ApiEnv>,
  name: string,
  handle: Handler,
): Promise<Response> {
  const exchange = openExchange(deps, context);
  const answer = await answerOf(deps, exchange, handle);
  const headers = new Headers({ ...(await commonHeaders(deps, exchange)), ...answer.headers });
  for (const cookie of answer.cookies ?? []) headers.append('set-cookie', cookie);
  const seconds = (monotonicMs() - exchange.startedAt) / 1000;
  deps.metrics.answered(`/saml/{tenant}/${name}`, context.req.method, answer.status, seconds);
  return new Response(answer.body, { status: answer.status, headers });
}

async function answerOf(deps: ApiDeps, exchange: Exchange, handle: Handler): Promise<Answer> {
  try {
    await countRequest(deps, exchange, { key: 'write', nobody: 'visitor' }, 1);
    const tenantId = fromId('tnt', exchange.context.req.param('tenant'));
    if (tenantId === null) return page(refusalPage('unavailable', '/', exchange.requestId));
    return await handle(deps, exchange, tenantId);
  } catch (error) {
    const refusal = toAppError(error, exchange.requestId);
    const status = ERROR_STATUS[refusal.code];
    if (status >= 500) {
      deps.log.error({ err: refusal.cause ?? refusal, request_id: exchange.requestId }, 'SSO failed');
    }
    const wait = refusal.retryAfterSeconds;
    const shown = page(badRequestPage(status, refusal.message));
    if (wait !== undefined) shown.headers['retry-after'] = String(wait);
    return shown;
  }
}

async function metadata(deps: ApiDeps, exchange: Exchange, tenantId: string): Promise<Answer> {
  const xml = await readOurMetadata(atHome(deps), tenantId);
  if (xml === null) return page(refusalPage('unavailable', '/', exchange.requestId));
  return { status: 200, body: xml, headers: { 'content-type': 'application/samlmetadata+xml' } };
}

async function login(deps: ApiDeps, exchange: Exchange, tenantId: string): Promise<Answer> {
  const token = readBrowserToken(exchange.context.env.incoming) ?? newBrowserToken();
  const location = await startLogin(atHome(deps), tenantId, token);
  if (location === null) return page(refusalPage('unavailable', '/', exchange.requestId));
  return { status: 302, body: null, headers: { location }, cookies: [browserCookie(token)] };
}

async function acs(deps: ApiDeps, exchange: Exchange, tenantId: string): Promise<Answer> {
  const { incoming } = exchange.context.env;
  if (!FORM_TYPE.test(incoming.headers['content-type'] ?? '')) {
    throw new AppError('unsupported_media_type', 'Send a form with a SAMLResponse.');
  }
  const body = await readBody(exchange.context.env, MAX_BODY_BYTES);
  const responses = new URLSearchParams(body.toString('latin1')).getAll('SAMLResponse');
  const posted = {
    samlResponse: responses.length === 1 ? responses[0]! : '',
    browserToken: readBrowserToken(incoming) ?? '',
  };
  const origin = { ip: exchange.client.address, userAgent: incoming.headers['user-agent'] ?? '' };
  return answerTo(deps, exchange, tenantId, await finishLogin(atHome(deps), tenantId, posted, origin));
}

function answerTo(deps: ApiDeps, exchange: Exchange, tenantId: string, outcome: SsoOutcome): Answer {
  if (outcome.ok) {
    const cookies = [...refreshCookies(outcome.session.refreshToken), clearedBrowserCookie()];
    return { ...page(signedInPage()), cookies };
  }
  const { refusal, why } = outcome;
  deps.log.info({ request_id: exchange.requestId, refusal, why }, 'SSO was refused');
  const { loginUrl } = serviceProvider(deps.config, tenantId);
  return page(refusalPage(refusal, loginUrl, exchange.requestId));
}

function page({ status, html, headers }: Page): Answer {
  return { status, body: html, headers: { ...headers } };
}
