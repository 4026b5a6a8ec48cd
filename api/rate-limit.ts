// Rate limits: never more than the limit in any rolling window (60 seconds but for failed sign-ins), over all processes;
// never a refusal while fewer than the limit fell into the window and a second. Redis counts for all (rate-limit.lua). Each process also remembers
// what it allowed itself: while Redis is unavailable that alone decides, so that k processes may then allow k times the limit,
// but no request fails because of Redis.

import { join } from 'node:path';

import { monotonicMs, nowMs } from '../core/base/clock.ts';
import type { Logger } from '../core/base/log.ts';
import { loadScript, RedisAway, type RedisConnection } from '../core/clients/redis.ts';
import { createLocalWindows, type Limit } from './rate-window.ts';

/**
 * What is counted together. `all` is for people and operators, whose requests have one common limit; `anonymous` for
 * REST without a valid key, `visitor` for GraphQL before signing in and `failed_auth` for keys that SMTP refused, all by address.
 */
export type RateClass = 'read' | 'write' | 'send' | 'all' | 'anonymous' | 'visitor' | 'failed_auth';

/** Requests per window; the contract's numbers, and for visitors what an office at one address needs. */
export const RATE_LIMITS: Readonly<Record<RateClass, number>> = {
  read: 60,
  write: 60,
  send: 600,
  all: 600,
  anonymous: 60,
  visitor: 300,
  failed_auth: 10,
};

const WINDOW_SECONDS = 60;
const FAILED_AUTH_SECONDS = 600; // the contract's ten minutes

/** Where a subject stands, ready for the X-RateLimit headers. */
export interface RateState {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds: when the oldest counted request leaves the window, or when a refused one would fit. */
  resetAt: number;
  /** Whole seconds until a refused request would be allowed. */
  retryAfterSeconds: number;
}

/** The limits of one process. */
export interface RateLimiter {
  /** Counts n requests if all of them fit, none otherwise. `n` 0 counts nothing. */
  hit(subject: string, rateClass: RateClass, n: number): Promise<RateState>;
  /** Whether one more would fit. Counts nothing. */
  peek(subject: string, rateClass: RateClass): Promise<RateState>;
}

const TRACKED_SUBJECTS = 100_000; // about 30 MB when all of them are busy

/** The limiter of one process. */
export function createRateLimiter(redis: RedisConnection, keyPrefix: string, log: Logger): RateLimiter {
  const script = loadScript(join(import.meta.dirname, 'rate-limit.lua'));
  const local = createLocalWindows({ nowMs: monotonicMs, maxSubjects: TRACKED_SUBJECTS });

  async function askRedis(subject: string, rateClass: RateClass, n: number): Promise<RateState | null> {
    const limit = limitOf(rateClass);
    try {
      const key = `${keyPrefix}:rate:{${subject}}:${rateClass}`;
      const args = [limit.most, n, limit.seconds].map(String);
      return readReply(await redis.run(script, [key], args), limit.most);
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      log.debug({ err: error }, 'rate limits are counted per process while redis is unavailable');
      return null;
    }
  }

  function localState(subject: string, rateClass: RateClass, n: number): RateState {
    const limit = limitOf(rateClass);
    const verdict = local.peek(`${subject} ${rateClass}`, limit, n);
    const now = Math.floor(nowMs() / 1000);
    return stateOf(verdict.allowed, verdict.used, limit.most, now, now + verdict.capacityInSeconds);
  }

  async function hit(subject: string, rateClass: RateClass, n: number): Promise<RateState> {
    const before = localState(subject, rateClass, n);
    if (!before.allowed) return before; // this process alone allowed as many: no need to ask
    const shared = await askRedis(subject, rateClass, n);
    if (shared && !shared.allowed) return shared;
    // Asked again because others of this process came through meanwhile, and Redis may have lost its count.
    const own = localState(subject, rateClass, n);
    if (!own.allowed) return own;
    if (n > 0) local.count(`${subject} ${rateClass}`, limitOf(rateClass), n);
    return shared && shared.remaining <= own.remaining ? shared : own;
  }

  return {
    hit,
    async peek(subject, rateClass) {
      const state = await hit(subject, rateClass, 0);
      if (state.remaining > 0) return state;
      return { ...state, allowed: false, retryAfterSeconds: Math.max(1, state.retryAfterSeconds) };
    },
  };
}

function limitOf(rateClass: RateClass): Limit {
  const seconds = rateClass === 'failed_auth' ? FAILED_AUTH_SECONDS : WINDOW_SECONDS;
  return { most: RATE_LIMITS[rateClass], seconds };
}

/** What rate-limit.lua answered, by name. */
function readReply(reply: unknown, limit: number): RateState {
  const [allowed, used, now, capacityAt] = reply as [number, number, number, number];
  return stateOf(allowed === 1, used, limit, now, capacityAt);
}

function stateOf(allowed: boolean, used: number, limit: number, now: number, capacityAt: number): RateState {
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - used),
    resetAt: capacityAt,
    retryAfterSeconds: Math.max(1, capacityAt - now),
  };
}
