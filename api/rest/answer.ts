// The envelope: every answer of the REST API is made here.

import { monotonicMs } from '../../core/base/clock.ts';
import type { AppError } from '../../core/base/errors.ts';
import { readQuota } from '../../core/tenant/tenants.ts';
import type { ApiDeps } from '../deps.ts';
import { ERROR_STATUS, toAppError } from '../error-table.ts';
import { commonHeaders, type Exchange } from '../exchange.ts';
import { deprecationHeaders, type Deprecation } from './deprecation.ts';
import { FileAnswer, fileResponse } from './file-answer.ts';

/** What the answer belongs to: the path of the route table, and what its answers show. */
export interface AnswerOf {
  path: string;
  quotaHeaders?: boolean | undefined;
  deprecated?: Deprecation | undefined;
}

const QUOTA_WARNING_PERCENT = 80;

/** A success. */
export async function dataAnswer(
  deps: ApiDeps,
  exchange: Exchange,
  of: AnswerOf,
  success: { status: number; data: unknown; replayed: boolean },
): Promise<Response> {
  const headers = success.replayed ? { 'idempotent-replayed': 'true' } : {};
  const body = success.data instanceof FileAnswer ? success.data : { ok: true, data: success.data };
  return answer(deps, exchange, of, success.status, body, headers);
}

/** A refusal or a fault. What is our fault is logged here, with the request id that the client sees. */
export async function errorAnswer(
  deps: ApiDeps,
  exchange: Exchange,
  of: AnswerOf,
  error: unknown,
): Promise<Response> {
  const refusal = toAppError(error, exchange.requestId);
  const status = ERROR_STATUS[refusal.code];
  if (status >= 500) {
    const line = { err: refusal.cause ?? refusal, request_id: exchange.requestId, route: of.path };
    if (status === 503) deps.log.warn(line, 'a request could not be served');
    else deps.log.error(line, 'a request failed');
  }
  const body = {
    ok: false,
    error: refusal.code,
    message: refusal.message,
    ...(refusal.details && { details: refusal.details }),
    ...(status === 500 && { request_id: exchange.requestId }),
  };
  return answer(deps, exchange, of, status, body, errorHeaders(refusal));
}

function errorHeaders(refusal: AppError): Record<string, string> {
  const wait = refusal.retryAfterSeconds ?? (refusal.code === 'unavailable' ? 1 : undefined);
  return {
    ...(wait !== undefined && { 'retry-after': String(wait) }),
    ...(refusal.code === 'unauthorized' && { 'www-authenticate': 'Bearer realm="postrider"' }),
  };
}

async function answer(
  deps: ApiDeps,
  exchange: Exchange,
  of: AnswerOf,
  status: number,
  body: unknown,
  extra: Record<string, string>,
): Promise<Response> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(await commonHeaders(deps, exchange)),
    ...(of.quotaHeaders === true && (await quotaHeaders(deps, exchange))),
    ...deprecationHeaders(of.deprecated),
    ...extra,
  };
  const seconds = (monotonicMs() - exchange.startedAt) / 1000;
  deps.metrics.answered(of.path, exchange.context.req.method, status, seconds);
  if (body instanceof FileAnswer) return fileResponse(body, status, headers);
  return new Response(JSON.stringify(body), { status, headers });
}

async function quotaHeaders(deps: ApiDeps, exchange: Exchange): Promise<Record<string, string>> {
  const quota = exchange.quota ?? (await lookUpQuota(deps, exchange));
  if (!quota) return {};
  const warn = quota.used * 100 >= quota.cap * QUOTA_WARNING_PERCENT;
  return {
    'x-quota-used': String(quota.used),
    'x-quota-cap': String(quota.cap),
    'x-quota-remaining': String(Math.max(0, quota.cap - quota.used)),
    ...(warn && { 'x-quota-warning': '1' }),
  };
}

async function lookUpQuota(deps: ApiDeps, exchange: Exchange): Promise<{ used: number; cap: number } | null> {
  const { principal } = exchange;
  if (!principal || principal.kind === 'admin') return null;
  try {
    return await readQuota(deps.db, principal.tenant);
  } catch (error) {
    deps.log.debug(
      { err: error, request_id: exchange.requestId },
      'an answer goes without its quota headers',
    );
    return null;
  }
}
