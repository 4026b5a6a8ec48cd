// One request and what its answer will say about it: who asked, and the headers that every answer carries.

import type { Context } from 'hono';

import { monotonicMs } from '../core/base/clock.ts';
import { AppError } from '../core/base/errors.ts';
import { newUuid, toId } from '../core/base/ids.ts';
import { whileWaiting } from '../core/base/loop-time.ts';
import type { Principal } from '../core/people/authenticate.ts';
import type { ClientInfo } from './client-address.ts';
import type { ApiDeps } from './deps.ts';
import { trustClient } from './http2.ts';
import type { RateClass, RateState } from './rate-limit.ts';
import type { NodeExchange } from './read-body.ts';
import type { TimeAccount } from './time-budget.ts';

/** What hono carries for us. */
export interface ApiEnv {
  Bindings: NodeExchange & {
    /** The path that it is routed by (compat/request-path.ts). */
    path?: string;
    /** On a tracking host: the tenant whose links it serves. */
    trackingTenant?: string;
    /** Whose processing time it takes. */
    account?: TimeAccount;
  };
}

/** One request under way. */
export interface Exchange {
  context: Context<ApiEnv>;
  /** UUID of this request; `requestId` is its outside form. */
  uuid: string;
  requestId: string;
  client: ClientInfo;
  startedAt: number;
  /** Set once the request was counted; every answer shows it. */
  rate: RateState | null;
  principal: Principal | null;
  /** The tenant's month after this request, when the handler knows it. */
  quota: { used: number; cap: number } | null;
}

const SECURITY_HEADERS = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** Begins an exchange. */
export function openExchange(deps: ApiDeps, context: Context<ApiEnv>): Exchange {
  const uuid = newUuid();
  return {
    context,
    uuid,
    requestId: toId('req', uuid),
    client: deps.readClient(context.env.incoming),
    startedAt: monotonicMs(),
    rate: null,
    principal: null,
    quota: null,
  };
}

/** The bearer token of a request (RFC 6750 section 2.1), or null. */
export function bearerToken(exchange: Exchange): string | null {
  const { authorization } = exchange.context.env.incoming.headers;
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** What a request identifies itself with. */
export interface Credential {
  token: string | null;
  /** What to tell who sent none. */
  advice: string;
}

/** The credential of an API whose keys come as a bearer token. */
export function bearerCredential(exchange: Exchange): Credential {
  return { token: bearerToken(exchange), advice: 'Send Authorization: Bearer <API key>.' };
}

/** What requests of this principal are counted under; without one, the address. */
export function rateSubject(principal: Principal | null, client: Pick<ClientInfo, 'address'>): string {
  switch (principal?.kind) {
    case 'key':
      return `key:${principal.keyId}`;
    case 'user':
      return `user:${principal.userId}`;
    case 'admin':
      return `admin:${principal.tokenId}`;
    case undefined:
      return `ip:${client.address}`;
  }
}

/** The keys of the rate limits: with an API key, and without credentials. */
export interface RateClasses {
  key: RateClass;
  nobody: RateClass;
}

/** The class under which a principal's request is counted. */
export function rateClassFor(principal: Principal | null, classes: RateClasses): RateClass {
  if (!principal) return classes.nobody;
  return principal.kind === 'key' ? classes.key : 'all';
}

/** Counts n requests. Throws `rate_limited` when they do not fit, or when the caller has no processing time left. */
export async function countRequest(
  deps: ApiDeps,
  exchange: Exchange,
  classes: RateClasses,
  n: number,
): Promise<void> {
  const subject = rateSubject(exchange.principal, exchange.client);
  const rateClass = rateClassFor(exchange.principal, classes);
  if (exchange.principal) trustClient(exchange.context.env.incoming);
  exchange.rate = await whileWaiting(deps.limiter.hit(subject, rateClass, n));
  if (!exchange.rate.allowed) throw rateLimited(exchange.rate);
  requireTime(deps, exchange);
}

function requireTime({ timeBudget }: ApiDeps, { principal, context }: Exchange): void {
  const { account } = context.env;
  if (account === undefined) return;
  if (principal !== null && principal.kind !== 'admin') account.tenantId = principal.tenantId;
  timeBudget.require(account);
}

/** The refusal for a request over the limit, in which `what` were counted. */
export function rateLimited(rate: RateState, what: 'requests' | 'recipients' = 'requests'): AppError {
  return new AppError(
    'rate_limited',
    `More than ${rate.limit} ${what} in 60 seconds. Try again in ${rate.retryAfterSeconds} s.`,
    { retryAfterSeconds: rate.retryAfterSeconds },
  );
}

/** The headers that every answer carries. An answer to a request that was not counted shows the address's state. */
export async function commonHeaders(deps: ApiDeps, exchange: Exchange): Promise<Record<string, string>> {
  const subject = `ip:${exchange.client.address}`;
  const rate = exchange.rate ?? (await deps.limiter.peek(subject, 'anonymous'));
  return {
    'x-request-id': exchange.requestId,
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(rate.resetAt),
    ...SECURITY_HEADERS,
  };
}
