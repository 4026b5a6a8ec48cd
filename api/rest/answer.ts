// The envelope: every answer of the REST API is made here.

import { readQuota } from '../../core/tenant/tenants.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../endpoint.ts';
import { ERROR_STATUS } from '../error-table.ts';
import type { Exchange } from '../exchange.ts';
import { answerHeaders, challengeHeaders, refusalOf, retryHeaders, successHeaders } from '../respond.ts';
import { deprecationHeaders, type Deprecation } from './deprecation.ts';
import { StreamAnswer, streamResponse } from './event-stream.ts';
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
  status: number,
  success: Answer<unknown>,
): Promise<Response> {
  const { data } = success;
  const body = data instanceof FileAnswer || data instanceof StreamAnswer ? data : { ok: true, data };
  return answer(deps, exchange, of, status, body, successHeaders(success));
}

/** A refusal or a fault. */
export async function errorAnswer(
  deps: ApiDeps,
  exchange: Exchange,
  of: AnswerOf,
  error: unknown,
): Promise<Response> {
  const refusal = refusalOf(deps, exchange, of.path, error);
  const status = ERROR_STATUS[refusal.code];
  const body = {
    ok: false,
    error: refusal.code,
    message: refusal.message,
    ...(refusal.details && { details: refusal.details }),
    ...(status === 500 && { request_id: exchange.requestId }),
  };
  return answer(deps, exchange, of, status, body, { ...retryHeaders(refusal), ...challengeHeaders(refusal) });
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
    ...(of.quotaHeaders === true && (await quotaHeaders(deps, exchange))),
    ...(await answerHeaders(deps, exchange, of.path, status)),
    ...deprecationHeaders(of.deprecated),
    ...extra,
  };
  if (body instanceof FileAnswer) return fileResponse(body, status, headers);
  if (body instanceof StreamAnswer) return streamResponse(body, exchange.context.env.outgoing, headers);
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
    return await deps.inTenant(principal.tenant, () => readQuota(deps.db, principal.tenant));
  } catch (error) {
    deps.log.debug(
      { err: error, request_id: exchange.requestId },
      'an answer goes without its quota headers',
    );
    return null;
  }
}
