// What happens to a request of any API, in this order: who asks → may they → how often → what do they say → once →
// the handler. Nothing of a body is read before the caller is known and, unless it is small,
// known to be under the limit. How credentials come and how answers look is each API's own.

import type { Context } from 'hono';

import { AppError, invalidField, invalidFields, notFound } from '../core/base/errors.ts';
import { checkValue } from '../core/base/field-problems.ts';
import { deriveKeys, seal, unseal } from '../core/base/secrets.ts';
import { findUnstorable, NOT_STORABLE } from '../core/base/storable-text.ts';
import { isIdempotencyKey, requestHash, runOnce } from '../core/idempotency/run-once.ts';
import { mayOnlySendFrom } from '../core/key/key-domain.ts';
import type { Identity } from '../core/people/authenticate.ts';
import { secondFactorMissing } from '../core/people/second-factor-rule.ts';
import { actorOf } from './actor.ts';
import type { ApiDeps } from './deps.ts';
import {
  isBodyOptional,
  rateClassesOf,
  type Access,
  type Answer,
  type BodySpec,
  type Call,
  type Caller,
  type Endpoint,
} from './endpoint.ts';
import {
  countRequest,
  rateClassFor,
  rateLimited,
  rateSubject,
  type ApiEnv,
  type Credential,
  type Exchange,
} from './exchange.ts';
import { parseJson } from './parse-json.ts';
import { DEFAULT_BODY_BYTES, hasBody, hasSmallBody, readBody, requireJson } from './read-body.ts';
import { openUpload } from './read-upload.ts';

/** Takes one request through all steps. Refusals are thrown as AppError. */
export async function runEndpoint(
  deps: ApiDeps,
  exchange: Exchange,
  endpoint: Endpoint,
  credential: Credential,
): Promise<{ status: number; answer: Answer<unknown> }> {
  await admit(deps, exchange, endpoint, credential);
  const params = readParams(endpoint, exchange.context);
  return forTenant(deps, exchange, endpoint, params, () =>
    serve(deps, exchange, endpoint, credential, params),
  );
}

/** Checks the body of a request that comes with no key, and answers it. Counted by its address. Refusals are thrown as AppError. */
export async function rehearseEndpoint(
  deps: ApiDeps,
  exchange: Exchange,
  endpoint: Endpoint,
  answer: (body: unknown) => unknown,
): Promise<{ status: number; answer: Answer<unknown> }> {
  await countRequest(deps, exchange, rateClassesOf(endpoint), 1);
  const { body } = endpoint;
  if (!body) throw new AppError('internal_error', 'A route without a body has nothing to check.');
  const limitBytes = Math.min(body.limitBytes, DEFAULT_BODY_BYTES); // anybody may ask
  const checked = body.check(await readJson(exchange, endpoint, { ...body, limitBytes }));
  if (!checked.ok) throw invalidFields(checked.details);
  return { status: endpoint.status, answer: { data: answer(checked.value) } };
}

async function serve(
  deps: ApiDeps,
  exchange: Exchange,
  endpoint: Endpoint,
  credential: Credential,
  params: unknown,
): Promise<{ status: number; answer: Answer<unknown> }> {
  const query = readQuery(endpoint, exchange.context);
  const { raw, body } = await readInput(deps, exchange, endpoint);
  const requireAccess = async () => {
    const refusal = refusalOf(await authenticate(deps, exchange, credential), endpoint);
    if (refusal) throw refusal;
  };
  return runIdempotent(deps, exchange, endpoint, raw, { params, query, body, requireAccess });
}

// Whose rows it is about: the caller's, or for an operator those of the tenant that the path names, if it names one.
function forTenant<T>(
  deps: ApiDeps,
  { principal }: Exchange,
  { access, aboutTenant }: Endpoint,
  params: unknown,
  work: () => Promise<T>,
): Promise<T> {
  if (aboutTenant === true) return deps.inTenantOf((params as { id: string }).id, work);
  return access === 'admin' || principal === null || principal.kind === 'admin'
    ? work()
    : deps.inTenant(principal.tenant, work);
}

/**
 * Who asks, may they, and how often. Where the cost is in the body the request is counted once that is read; before a
 * large one is read the caller's limit is looked at.
 */
async function admit(
  deps: ApiDeps,
  exchange: Exchange,
  endpoint: Endpoint,
  credential: Credential,
): Promise<void> {
  const identity = await authenticate(deps, exchange, credential);
  exchange.principal = identity.principal;
  const refusal = refusalOf(identity, endpoint);
  if (endpoint.cost === undefined || refusal) await count(deps, exchange, endpoint, refusal);
  else if (!hasSmallBody(exchange.context.env.incoming)) {
    const { principal, client } = exchange;
    const subject = rateSubject(principal, client);
    exchange.rate = await deps.limiter.peek(subject, rateClassFor(principal, rateClassesOf(endpoint)));
    if (!exchange.rate.allowed) throw rateLimited(exchange.rate);
  }
}

async function authenticate(
  deps: ApiDeps,
  { client }: Exchange,
  { token, advice }: Credential,
): Promise<Identity> {
  if (token !== null) return deps.authenticator.authenticate(token, client.exact);
  return { principal: null, refusal: new AppError('unauthorized', advice) };
}

// A caller without the right is counted too, but gets that error first (contract: key and scope, then rate limit); one
// without any valid key is only known by address, and that limit is all that slows guessing.
async function count(
  deps: ApiDeps,
  exchange: Exchange,
  endpoint: Endpoint,
  refusal: AppError | null,
): Promise<void> {
  const counted = countRequest(deps, exchange, rateClassesOf(endpoint), 1);
  if (refusal && exchange.principal) await counted.catch(() => {});
  else await counted;
  if (refusal) throw refusal;
}

function refusalOf(
  { principal, refusal }: Identity,
  { access, forOneDomain }: Pick<Endpoint, 'access' | 'forOneDomain'>,
): AppError | null {
  if (!principal) return refusal;
  if (principal.kind === 'user' && principal.lacksSecondFactor) return secondFactorMissing();
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
  if (access === 'any') return null;
  if (principal.onlyDomain !== null && forOneDomain !== true)
    return new AppError('forbidden', mayOnlySendFrom(principal.onlyDomain));
  if (principal.scopes.has(access)) return null;
  if (principal.kind === 'user') return new AppError('forbidden', 'Your role does not allow this.');
  return new AppError(
    'invalid_scope',
    `The API key does not have the scope ${access}. Use a key that has it.`,
  );
}

function readParams(endpoint: Endpoint, context: Context<ApiEnv>): unknown {
  if (!endpoint.params) return undefined;
  const given = context.req.param();
  const checked = checkValue(endpoint.params, given);
  if (!checked.ok || findUnstorable(given) !== null)
    throw notFound(endpoint.group.toLowerCase().replace(/s$/, ''));
  return checked.value;
}

function readQuery(endpoint: Endpoint, context: Context<ApiEnv>): unknown {
  if (!endpoint.query) return undefined;
  const given = readOnce(context.req.queries());
  const unstorable = findUnstorable(given);
  if (unstorable !== null) throw invalidField(unstorable, NOT_STORABLE);
  const checked = checkValue(endpoint.query, given);
  if (!checked.ok) throw invalidFields(checked.details);
  return checked.value;
}

// Which of two would count is anybody's guess, and a program in between may guess otherwise than we do.
function readOnce(all: Record<string, string[]>): Record<string, string> {
  const entries = Object.entries(all).map(([name, values]): [string, string] => {
    if (values.length > 1) throw invalidField(name, 'must be given once');
    return [name, values[0] ?? ''];
  });
  return Object.fromEntries(entries);
}

async function readInput(
  deps: ApiDeps,
  exchange: Exchange,
  endpoint: Endpoint,
): Promise<{ raw: unknown; body: unknown }> {
  if (!endpoint.body) return { raw: null, body: undefined };
  const raw = await readJson(exchange, endpoint, endpoint.body).catch(async (error: unknown) => {
    if (endpoint.cost) await countRequest(deps, exchange, rateClassesOf(endpoint), 1);
    throw error;
  });
  if (endpoint.cost) await countRequest(deps, exchange, rateClassesOf(endpoint), endpoint.cost(raw));
  const checked = endpoint.body.check(raw);
  if (!checked.ok) throw invalidFields(checked.details);
  return { raw, body: checked.value };
}

async function readJson(exchange: Exchange, endpoint: Endpoint, body: BodySpec<unknown>): Promise<unknown> {
  const { incoming } = exchange.context.env;
  if (isBodyOptional(endpoint, body) && !hasBody(incoming)) return {};
  requireJson(incoming);
  const parsed = parseJson(await readBody(exchange.context.env, body.limitBytes));
  if (!parsed.ok) throw new AppError('invalid_json', parsed.message);
  return parsed.value;
}

async function runIdempotent(
  deps: ApiDeps,
  exchange: Exchange,
  endpoint: Endpoint,
  raw: unknown,
  input: Pick<Call<Access, unknown, unknown, unknown>, 'params' | 'query' | 'body' | 'requireAccess'>,
): Promise<{ status: number; answer: Answer<unknown> }> {
  const caller = exchange.principal as Caller<Access>;
  const call = (more: Pick<Call<Access, unknown, unknown, unknown>, 'changeId' | 'idempotency'>) =>
    endpoint.handle({
      ...input,
      ...more,
      deps,
      caller,
      by: actorOf(caller, exchange.client.address, key === undefined ? undefined : more.changeId),
      upload:
        endpoint.upload &&
        openUpload(exchange.context.env, Object.keys(endpoint.upload.content), endpoint.upload.limitBytes),
      header: (name) => exchange.context.req.header(name),
      // Made only when a handler asks: an AbortController per request is a few per cent of a small answer’s time.
      get signal() {
        return exchange.context.req.raw.signal;
      },
      setQuota: (quota) => {
        exchange.quota = quota;
      },
    });
  const key = endpoint.method === 'POST' ? idempotencyKey(exchange) : undefined;
  if (key === undefined) {
    const answer = await call({ changeId: exchange.uuid, idempotency: undefined });
    return { status: answer.status ?? endpoint.status, answer };
  }
  const bodyHash = requestHash(endpoint.method, exchange.context.req.path, raw);
  if (endpoint.idempotency === 'handler') {
    const answer = await call({ changeId: exchange.uuid, idempotency: { key, bodyHash } });
    return { status: answer.status ?? endpoint.status, answer };
  }
  const scopeId = caller.kind === 'admin' ? caller.tokenId : caller.tenantId;
  const kept = await runOnce(
    endpoint.access === 'admin' ? deps.home : deps.db,
    { scopeId, key, bodyHash },
    async (changeId) => {
      const answer = await call({ changeId, idempotency: undefined });
      const body = endpoint.hasSecret ? sealJson(deps, answer.data) : answer.data;
      return { status: answer.status ?? endpoint.status, body };
    },
  );
  const data = endpoint.hasSecret ? unsealJson(deps, kept.body as string) : kept.body;
  return { status: kept.status, answer: { data, replayed: kept.replayed } };
}

function sealJson({ config }: ApiDeps, value: unknown): string {
  const [key] = deriveKeys(config, 'secret-box');
  return seal(key, Buffer.from(JSON.stringify(value), 'utf8')).toString('base64');
}

function unsealJson({ config }: ApiDeps, sealed: string): unknown {
  const text = unseal(deriveKeys(config, 'secret-box'), Buffer.from(sealed, 'base64')).toString('utf8');
  return JSON.parse(text) as unknown;
}

function idempotencyKey(exchange: Exchange): string | undefined {
  const key = exchange.context.env.incoming.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && isIdempotencyKey(key)) return key;
  throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
}
