// What happens to a request, in this order: who asks → may they → how often → what do they say → once → the handler
// → the envelope. Nothing of a body is read before the caller is known and, unless it is small,
// known to be under the limit.

import type { Context } from 'hono';

import {
  AppError,
  type FieldProblem,
  invalidField,
  invalidFields,
  notFound,
} from '../../core/base/errors.ts';
import { checkValue } from '../../core/base/field-problems.ts';
import { findUnstorable, NOT_STORABLE } from '../../core/base/storable-text.ts';
import { isIdempotencyKey, requestHash, runOnce } from '../../core/idempotency/run-once.ts';
import type { Principal } from '../../core/people/authenticate.ts';
import { actorOf } from '../actor.ts';
import type { ApiDeps } from '../deps.ts';
import {
  bearerToken,
  countRequest,
  openExchange,
  rateClassFor,
  rateLimited,
  rateSubject,
  type ApiEnv,
  type Exchange,
} from '../exchange.ts';
import { hasBody, hasSmallBody, readBody, requireJson } from '../read-body.ts';
import { openUpload } from '../read-upload.ts';
import { dataAnswer, errorAnswer } from './answer.ts';
import { parseJson } from '../parse-json.ts';
import {
  isBodyOptional,
  routeRateClasses,
  type Access,
  type Answer,
  type BodySpec,
  type Call,
  type Route,
} from './route.ts';

/** Serves one request of one route. Never throws. */
export async function serveRoute(deps: ApiDeps, route: Route, context: Context<ApiEnv>): Promise<Response> {
  const exchange = openExchange(deps, context);
  try {
    await admit(deps, exchange, route);
    const params = readParams(route, context);
    const query = readQuery(route, context);
    const { raw, body } = await readInput(deps, exchange, route);
    const call = { params, query, body };
    const { status, answer } = await runIdempotent(deps, exchange, route, raw, call);
    return await dataAnswer(deps, exchange, route, {
      status,
      data: answer.data,
      replayed: answer.replayed ?? false,
    });
  } catch (error) {
    return errorAnswer(deps, exchange, route, error);
  }
}

/**
 * Who asks, may they, and how often. Where the cost is in the body the request is counted once that is read; before a
 * large one is read the caller's limit is looked at.
 */
async function admit(deps: ApiDeps, exchange: Exchange, route: Route): Promise<void> {
  const token = bearerToken(exchange);
  exchange.principal = token === null ? null : await deps.authenticator.authenticate(token);
  const refusal = accessRefusal(exchange.principal, route.access, token !== null);
  if (route.cost === undefined || refusal) await count(deps, exchange, route, refusal);
  else if (!hasSmallBody(exchange.context.env.incoming)) {
    const { principal, client } = exchange;
    const subject = rateSubject(principal, client);
    exchange.rate = await deps.limiter.peek(subject, rateClassFor(principal, routeRateClasses(route)));
    if (!exchange.rate.allowed) throw rateLimited(exchange.rate);
  }
}

// A caller without the right is counted too, but gets that error first (contract: key and scope, then rate limit); one
// without any valid key is only known by address, and that limit is all that slows guessing.
async function count(
  deps: ApiDeps,
  exchange: Exchange,
  route: Route,
  refusal: AppError | null,
): Promise<void> {
  const counted = countRequest(deps, exchange, routeRateClasses(route), 1);
  if (refusal && refusal.code !== 'unauthorized') await counted.catch(() => {});
  else await counted;
  if (refusal) throw refusal;
}

function accessRefusal(principal: Principal | null, access: Access, tokenGiven: boolean): AppError | null {
  if (!principal) {
    const why = tokenGiven
      ? 'The API key is not valid or was revoked.'
      : 'Send Authorization: Bearer <API key>.';
    return new AppError('unauthorized', why);
  }
  if (access === 'admin') {
    const isSuper =
      principal.kind === 'admin' || (principal.kind === 'user' && principal.role === 'super_admin');
    return isSuper ? null : new AppError('forbidden', 'This request needs a super-admin token.');
  }
  if (principal.kind === 'admin') {
    return new AppError(
      'forbidden',
      'A super-admin token belongs to no tenant. Use an API key of the tenant.',
    );
  }
  if (access === 'any' || principal.scopes.has(access)) return null;
  if (principal.kind === 'user') return new AppError('forbidden', 'Your role does not allow this.');
  return new AppError(
    'invalid_scope',
    `The API key does not have the scope ${access}. Use a key that has it.`,
  );
}

function readParams(route: Route, context: Context<ApiEnv>): unknown {
  if (!route.params) return undefined;
  const given = context.req.param();
  const checked = checkValue(route.params, given);
  if (!checked.ok || findUnstorable(given) !== null)
    throw notFound(route.group.toLowerCase().replace(/s$/, ''));
  return checked.value;
}

function readQuery(route: Route, context: Context<ApiEnv>): unknown {
  if (!route.query) return undefined;
  const given = context.req.query();
  const unstorable = findUnstorable(given);
  if (unstorable !== null) throw invalidField(unstorable, NOT_STORABLE);
  const checked = checkValue(route.query, given);
  if (!checked.ok) throw invalid(checked.details);
  return checked.value;
}

async function readInput(
  deps: ApiDeps,
  exchange: Exchange,
  route: Route,
): Promise<{ raw: unknown; body: unknown }> {
  if (!route.body) return { raw: null, body: undefined };
  const raw = await readJson(exchange, route, route.body).catch(async (error: unknown) => {
    if (route.cost) await countRequest(deps, exchange, routeRateClasses(route), 1);
    throw error;
  });
  if (route.cost) await countRequest(deps, exchange, routeRateClasses(route), route.cost(raw));
  const checked = route.body.check(raw);
  if (!checked.ok) throw invalid(checked.details);
  return { raw, body: checked.value };
}

async function readJson(exchange: Exchange, route: Route, body: BodySpec<unknown>): Promise<unknown> {
  const { incoming } = exchange.context.env;
  if (isBodyOptional(route, body) && !hasBody(incoming)) return {};
  requireJson(incoming);
  const parsed = parseJson(await readBody(exchange.context.env, body.limitBytes));
  if (!parsed.ok) throw new AppError('invalid_json', parsed.message);
  return parsed.value;
}

async function runIdempotent(
  deps: ApiDeps,
  exchange: Exchange,
  route: Route,
  raw: unknown,
  input: { params: unknown; query: unknown; body: unknown },
): Promise<{ status: number; answer: Answer<unknown> }> {
  const caller = exchange.principal as Call<Access, unknown, unknown, unknown>['caller'];
  const call = (more: Pick<Call<Access, unknown, unknown, unknown>, 'changeId' | 'idempotency'>) =>
    route.handle({
      ...input,
      ...more,
      deps,
      caller,
      by: actorOf(caller, exchange.client.address, key === undefined ? undefined : more.changeId),
      upload:
        route.upload &&
        openUpload(exchange.context.env, Object.keys(route.upload.content), route.upload.limitBytes),
      // Made only when a handler asks: an AbortController per request is a few per cent of a small answer’s time.
      get signal() {
        return exchange.context.req.raw.signal;
      },
      setQuota: (quota) => {
        exchange.quota = quota;
      },
    });
  const key = route.method === 'POST' ? idempotencyKey(exchange) : undefined;
  if (key === undefined) {
    return { status: route.status, answer: await call({ changeId: exchange.uuid, idempotency: undefined }) };
  }
  const bodyHash = requestHash(route.method, exchange.context.req.path, raw);
  if (route.idempotency === 'handler') {
    const answer = await call({ changeId: exchange.uuid, idempotency: { key, bodyHash } });
    return { status: route.status, answer };
  }
  const scopeId = caller.kind === 'admin' ? caller.tokenId : caller.tenantId;
  const kept = await runOnce(deps.db, { scopeId, key, bodyHash }, async (changeId) => {
    const answer = await call({ changeId, idempotency: undefined });
    return { status: route.status, body: answer.data };
  });
  return { status: kept.status, answer: { data: kept.body, replayed: kept.replayed } };
}

function idempotencyKey(exchange: Exchange): string | undefined {
  const key = exchange.context.env.incoming.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && isIdempotencyKey(key)) return key;
  throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
}

function invalid(details: FieldProblem[]): AppError {
  return invalidFields(details);
}
