// Limits the share of this process's event loop that a client address and a tenant may use. While the process is busy, a client
// that used more than its share for some seconds is refused, so that other clients are served. An idle process refuses nobody,
// and neither does one that only one address, or one tenant, asked lately: there is nobody to wait for it.
//
// A page of the dashboard takes 30 to 120 ms in all, a send over REST 0.7 ms (measured with two cores, all pages, 150 sends).

import { monotonicMs } from '../core/base/clock.ts';
import { AppError } from '../core/base/errors.ts';
import { workedMs } from '../core/base/loop-time.ts';

/** Who is charged for a request. */
export interface TimeAccount {
  /** As requests are counted (client-address.ts). */
  address: string;
  /** Once it is known. */
  tenantId?: string;
}

/** The budgets of one process. */
export interface TimeBudget {
  charge(account: TimeAccount, ms: number): void;
  /** Throws rate_limited, with Retry-After, when the address or the tenant of a request has none left. */
  require(account: TimeAccount): void;
}

/** Part of the event loop that one address, or one tenant, may have for long. */
const SHARE = 0.5;
/** Milliseconds beyond its share: a page with many questions, a batch, a burst of sends. */
const BURST_MS = 2_000;
/** Milliseconds at most until somebody is let in again. */
const LONGEST_REFUSAL_MS = 20_000;
/** Part of the last second in which the event loop worked: below it nobody waits for long. */
const BUSY = 0.8;
const LOOK_EVERY_MS = 1_000;
/** For so long after a request of another address, or tenant, this one is held to its share. */
const COMPANY_MS = 10_000;
const MAX_ENTRIES = 50_000; // about 10 MB

interface Level {
  /** Milliseconds beyond the share. */
  ms: number;
  at: number;
}

/** Makes them. */
export function createTimeBudget({
  now = monotonicMs,
  worked = workedMs,
}: { now?: () => number; worked?: () => number } = {}): TimeBudget {
  const levels = new Map<string, Level>();
  const isBusy = createBusyCheck(now, worked);
  const company = { ip: createCompany(), tenant: createCompany() };
  const levelOf = (key: string, at: number): number => {
    const level = levels.get(key);
    return level === undefined ? 0 : Math.max(0, level.ms - (at - level.at) * SHARE);
  };
  return {
    charge(account, ms) {
      const at = now();
      for (const [kind, key] of keysOf(account)) {
        company[kind].note(key, at);
        const level = Math.min(levelOf(key, at) + ms, BURST_MS + LONGEST_REFUSAL_MS * SHARE);
        levels.delete(key); // to the young end
        levels.set(key, { ms: level, at });
      }
      while (levels.size > MAX_ENTRIES) levels.delete(levels.keys().next().value as string);
    },
    require(account) {
      if (!isBusy()) return;
      const at = now();
      const shared = keysOf(account).filter(([kind, key]) => company[kind].hasOther(key, at));
      const over = Math.max(0, ...shared.map(([, key]) => levelOf(key, at))) - BURST_MS;
      if (over > 0) throw outOfTime(Math.ceil(over / SHARE / 1_000));
    },
  };
}

function keysOf({ address, tenantId }: TimeAccount): ['ip' | 'tenant', string][] {
  const ip: ['ip', string] = ['ip', `ip ${address}`];
  return tenantId === undefined ? [ip] : [ip, ['tenant', `tenant ${tenantId}`]];
}

// Remembers who asked last, and who did last before that was somebody else.
function createCompany(): {
  note(key: string, at: number): void;
  hasOther(key: string, at: number): boolean;
} {
  let last = { key: '', at: -Infinity };
  let before = last;
  return {
    note(key, at) {
      if (key !== last.key) before = last;
      last = { key, at };
    },
    hasOther(key, at) {
      const other = last.key === key ? before : last;
      return at - other.at < COMPANY_MS;
    },
  };
}

function createBusyCheck(now: () => number, worked: () => number): () => boolean {
  let seen = { at: now(), worked: worked() };
  let busy = false;
  return () => {
    const at = now();
    if (at - seen.at < LOOK_EVERY_MS) return busy;
    const next = { at, worked: worked() };
    busy = (next.worked - seen.worked) / (at - seen.at) >= BUSY;
    seen = next;
    return busy;
  };
}

function outOfTime(seconds: number): AppError {
  return new AppError(
    'rate_limited',
    `Your requests took more processing time than one client may use. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}
