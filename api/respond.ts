// What answers of every JSON API have in common: their headers, their line in the metrics, and what is logged of a fault.

import { monotonicMs } from '../core/base/clock.ts';
import type { AppError } from '../core/base/errors.ts';
import type { ApiDeps } from './deps.ts';
import type { Answer } from './endpoint.ts';
import { ERROR_STATUS, toAppError } from './error-table.ts';
import { commonHeaders, type Exchange } from './exchange.ts';

/** Ends an exchange: counts it under the path of its route, and gives the headers that every JSON answer carries. */
export async function answerHeaders(
  deps: ApiDeps,
  exchange: Exchange,
  path: string,
  status: number,
): Promise<Record<string, string>> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(await commonHeaders(deps, exchange)),
  };
  const seconds = (monotonicMs() - exchange.startedAt) / 1000;
  deps.metrics.answered(path, exchange.context.req.method, status, seconds);
  return headers;
}

/** The headers of a success beside those of every answer. */
export function successHeaders({ replayed, headers }: Answer<unknown>): Record<string, string> {
  return { ...(replayed === true && { 'idempotent-replayed': 'true' }), ...headers };
}

/** The error as it may be shown. What is our fault is logged here, with the request id that the client sees. */
export function refusalOf(deps: ApiDeps, exchange: Exchange, path: string, error: unknown): AppError {
  const refusal = toAppError(error, exchange.requestId);
  const status = ERROR_STATUS[refusal.code];
  if (status >= 500) {
    const line = { err: refusal.cause ?? refusal, request_id: exchange.requestId, route: path };
    if (status === 503) deps.log.warn(line, 'a request could not be served');
    else deps.log.error(line, 'a request failed');
  }
  return refusal;
}

/** When to try again. */
export function retryHeaders(refusal: AppError): Record<string, string> {
  const wait = refusal.retryAfterSeconds ?? (refusal.code === 'unavailable' ? 1 : undefined);
  return wait === undefined ? {} : { 'retry-after': String(wait) };
}

/** How a client that sent no valid key is to send one (RFC 6750 section 3). */
export function challengeHeaders(refusal: AppError): Record<string, string> {
  return refusal.code === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="postrider"' } : {};
}
