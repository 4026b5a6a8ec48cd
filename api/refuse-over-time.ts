// What is not counted as a request of an API, but takes processing time: files of the dashboard, documents, links of mail.
// The APIs refuse after authentication, in their own error envelope (exchange.ts).

import { AppError } from '../core/base/errors.ts';
import { newUuid, toId } from '../core/base/ids.ts';
import type { ApiDeps } from './deps.ts';
import type { ApiEnv } from './exchange.ts';
import { escapeHtml, plainPage } from './plain-page.ts';
import { retryHeaders } from './respond.ts';

const COUNTED = /^\/(?:api\/v1\/(?!(?:docs|openapi\.json)$)|graphql$|compat\/|saml\/)/;
const HEALTH = /^\/(?:healthz|readyz)$/;

/** The answer to a client whose address has no processing time left (time-budget.ts); null for all others. */
export function refuseOverTime(
  { timeBudget }: Pick<ApiDeps, 'timeBudget'>,
  { path = '/', account }: ApiEnv['Bindings'],
): Response | null {
  if (account === undefined || COUNTED.test(path) || HEALTH.test(path)) return null;
  try {
    timeBudget.require(account);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { html, headers } = plainPage(429, 'Too many requests', `<p>${escapeHtml(error.message)}</p>`);
    const own = { 'x-request-id': toId('req', newUuid()), 'cache-control': 'no-store' };
    return new Response(html, { status: 429, headers: { ...headers, ...own, ...retryHeaders(error) } });
  }
}
